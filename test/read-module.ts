import { posix } from 'node:path'
import { parseSync } from 'vite'

export type SourceFile = { path: string; source: string }

export type Import = {
  /** A path from the project's root, or a package's name. */
  target: string
  specifier: string
  /** The imported names, `*` for all of them. */
  names: string[]
  isRelative: boolean
  isDynamic: boolean
  isType: boolean
}

export type Module = {
  path: string
  imports: Import[]
  /** The names of the methods that are called. */
  calls: Set<string>
  /** The names that the file declares at its top, imported ones included. */
  declared: string[]
  hasDefaultExport: boolean
  isBarrel: boolean
}

type Syntax = { type: string; [key: string]: unknown }

const known = new WeakMap<SourceFile, Module>()

/** Reads with oxc, the parser of Vite, what the rules of the house look at. */
export function readModule(file: SourceFile): Module {
  const module = known.get(file) ?? parse(file)
  known.set(file, module)
  return module
}

function parse({ path, source }: SourceFile): Module {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const body: Syntax[] = program.body.map((statement) => ({ ...statement }))
  const all = collect(body, [])
  return {
    path,
    imports: all.flatMap((node) => readImport(path, node)),
    calls: new Set(all.flatMap(readCall)),
    declared: body.flatMap(readNames),
    hasDefaultExport: body.some(isDefaultExport),
    isBarrel: isBarrel(body),
  }
}

function collect(value: unknown, into: Syntax[]): Syntax[] {
  if (Array.isArray(value)) for (const item of value) collect(item, into)
  else if (isSyntax(value)) {
    into.push(value)
    for (const child of Object.values(value)) if (typeof child === 'object') collect(child, into)
  }
  return into
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const list = (value: unknown): Syntax[] => (Array.isArray(value) ? value.filter(isSyntax) : [])

/** The text of an identifier or of a string without holes. */
function textOf(value: unknown): string | null {
  if (!isSyntax(value)) return null
  const quasi = value.type === 'TemplateLiteral' ? list(value['quasis'])[0]?.['value'] : undefined
  const text = quasi ? Object.values(quasi)[0] : (value['name'] ?? value['value'])
  return typeof text === 'string' ? text : null
}

function readImport(path: string, node: Syntax): Import[] {
  const specifier = textOf(node['source'])
  if (specifier === null || !IMPORTS.has(node.type)) return []
  const file = specifier.replace(/\?.*$/, '')
  const isRelative = /^\.\.?(\/|$)/.test(file)
  const names = list(node['specifiers']).map((name) => textOf(name['imported'] ?? name['local']) ?? '')
  const isAll = list(node['specifiers']).some(({ type }) => type === 'ImportNamespaceSpecifier')
  return [
    {
      target: isRelative ? posix.join(posix.dirname(path), file) : file,
      specifier,
      names: isAll ? ['*'] : names,
      isRelative,
      isDynamic: node.type === 'ImportExpression',
      // `import { type A }` is no type import: Node takes the name away and still loads the file.
      isType: (node['importKind'] ?? node['exportKind']) === 'type' || node.type === 'TSImportType',
    },
  ]
}

const IMPORTS = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSImportType',
])

function readCall(node: Syntax): string[] {
  const callee = node.type === 'CallExpression' && isSyntax(node['callee']) ? node['callee'] : null
  const name = callee?.type === 'MemberExpression' ? textOf(callee['property']) : null
  return name === null ? [] : [name]
}

function readNames(statement: Syntax): string[] {
  const inner = isSyntax(statement['declaration']) ? statement['declaration'] : statement
  const ids = [inner['id'], ...list(inner['declarations']).map(({ id }) => id)]
  const locals = list(inner['specifiers']).map(({ local }) => local)
  return [...ids, ...(inner.type === 'ImportDeclaration' ? locals : [])].flatMap((id) => textOf(id) ?? [])
}

const isDefaultExport = ({ type, specifiers }: Syntax) =>
  type === 'ExportDefaultDeclaration' ||
  (type === 'ExportNamedDeclaration' &&
    list(specifiers).some(({ exported }) => textOf(exported) === 'default'))

/** Whether a module passes everything on, or only passes on. */
function isBarrel(body: Syntax[]): boolean {
  const passes = ({ type, source }: Syntax) => type === 'ExportNamedDeclaration' && isSyntax(source)
  const isEmpty = (node: Syntax) => node.type === 'ImportDeclaration' || passes(node)
  return (
    body.some(({ type }) => type === 'ExportAllDeclaration') || (body.some(passes) && body.every(isEmpty))
  )
}
