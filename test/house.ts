import { posix } from 'node:path'

export type SourceFile = { path: string; source: string }

/** The rooms, lowest first: each may import only from those before it. */
const ROOMS = [
  'gallery',
  'log',
  'accounts',
  'access',
  'projects',
  'files',
  'uploads',
  'report',
  'people',
  'start',
  'copies',
]

const READABLE_EVERYWHERE = new Set(['src/urls.ts', 'src/rights.ts', 'src/navigation.ts'])
const SQL_BESIDES_DB = new Set(['src/server/database/migrate.ts', 'src/server/database/built-in-postgres.ts'])
const DISK_BESIDES_SERVER = new Set(['src/start.ts', 'src/server.ts'])

/** A source without comments, with numbers in place of strings, so that no text looks like code. */
type MaskedSource = { code: string; strings: string[] }

type Import = {
  /** A path from the project's root, or the name of a package. */
  target: string
  specifier: string
  names: string
  isRelative: boolean
  isDynamic: boolean
  isType: boolean
}

type Module = { path: string; code: string; imports: Import[] }

/** Returns one English line for every house rule that these files break. */
export function findFaults(files: SourceFile[]): string[] {
  const modules = files.map(readModule)
  return [
    ...modules.flatMap((module) => [
      ...nameFaults(module.path),
      ...(isTest(module.path) ? [] : [...importFaults(module), ...codeFaults(module)]),
      ...moduleFaults(module),
    ]),
    ...cycleFaults(modules),
  ]
}

// Reading a file

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/.source
const HOLE = /\$\{(?:[^{}`]|`(?:\\[\s\S]|[^`\\])*`|\{(?:[^{}]|\{[^{}]*\})*\})*\}/.source
const TEMPLATE = '`(?:' + HOLE + '|' + /\$(?!\{)|\\[\s\S]|[^`\\$]/.source + ')*`'
const STRING = [/'(?:\\.|[^'\\\n])*'/.source, /"(?:\\.|[^"\\\n])*"/.source, TEMPLATE].join('|')
// A slash starts a regular expression only where a value may begin; elsewhere it divides or closes a tag.
const PATTERN = /(?<=[=(,:!&|?[;]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/.source
const TEXT = new RegExp(`(?<pattern>${PATTERN})|(?<comment>${COMMENT})|${STRING}`, 'g')

const NAMES = /\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s*as\s+[\w$]+))?/.source
const FROM = `(?<type>type\\b\\s*(?!from\\b|,))?(?<names>${NAMES})\\s*from\\s*'(?<text>\\d+)'`
const STATIC = new RegExp(`(?<![.\\w$])(?:import|export)\\b\\s*${FROM}`, 'g')
const RE_EXPORT = new RegExp(`(?<![.\\w$])export\\b\\s*${FROM}`)
const SIDE_EFFECT = /(?<![.\w$])import\s*'(?<text>\d+)'/g
const DYNAMIC = /(?<type>\btypeof\s+)?(?<![.\w$])import\s*\(\s*'(?<text>\d+)'/g

function readModule({ path, source }: SourceFile): Module {
  const masked = mask(source)
  const find = (pattern: RegExp) =>
    [...masked.code.matchAll(pattern)].map((match) =>
      toImport(path, masked, match.groups ?? {}, pattern === DYNAMIC),
    )
  return { path, code: masked.code, imports: [STATIC, SIDE_EFFECT, DYNAMIC].flatMap(find) }
}

function mask(source: string): MaskedSource {
  const strings: string[] = []
  const code = source.replace(TEXT, (text: string, pattern?: string, comment?: string) => {
    if (comment !== undefined) return ' '
    if (pattern !== undefined) return '0'
    return `'${strings.push(text.slice(1, -1)) - 1}'`
  })
  return { code, strings }
}

function toImport(
  path: string,
  { strings }: MaskedSource,
  { text, names = '', type }: Record<string, string | undefined>,
  isDynamic: boolean,
): Import {
  const specifier = strings[Number(text)] ?? ''
  const file = specifier.replace(/\?.*$/, '')
  const isRelative = /^\.\.?(\/|$)/.test(file)
  const target = isRelative ? posix.join(posix.dirname(path), file) : file
  // `import { type A }` is not a type import: Node removes the name but still loads the file.
  return { target, specifier, names, isRelative, isDynamic, isType: type !== undefined }
}

// Kinds of files

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const isDb = (path: string) => path.endsWith('.db.ts')
const isRoutes = (path: string) => path.endsWith('.routes.ts')
const isHook = (path: string) => /\/use-[^/]*\.ts$/.test(path)
const isServer = (path: string) => path.startsWith('src/server/') || path.endsWith('.server.ts')
const isBrowser = (path: string) => path.endsWith('.tsx') || isHook(path)
const isServerOnly = (path: string) => isDb(path) || isRoutes(path) || isServer(path)
const isPlain = (path: string) => path.endsWith('.ts') && !isBrowser(path) && !isServerOnly(path)

/** Returns `base`, `ui`, `server` or a room; `top` for files directly in src; `outside` for everything else. */
function areaOf(path: string): string {
  const [root, area, ...rest] = path.split('/')
  if (root !== 'src' || area === undefined) return 'outside'
  return rest.length === 0 ? 'top' : area
}

// Rules 1 to 4: who may import whom

function importFaults(module: Module): string[] {
  return [
    ...roomFaults(module.path),
    ...module.imports.flatMap((imported) =>
      [
        areaFault(module.path, imported),
        emptyHandedFault(module.path, imported),
        browserFault(module.path, imported),
        plainFault(module.path, imported),
        diskFault(module.path, imported),
      ].flatMap((fault) => (fault === null ? [] : [`${module.path} imports ${imported.target}: ${fault}`])),
    ),
  ]
}

function roomFaults(path: string): string[] {
  const area = areaOf(path)
  const isKnown = ['base', 'ui', 'server', 'top', 'outside', ...ROOMS].includes(area)
  return isKnown ? [] : [`${path}: the room ${area} has no place in the order of rooms (rule 1)`]
}

function areaFault(path: string, { target, isRelative, isType }: Import): string | null {
  const from = areaOf(path)
  const to = areaOf(target)
  if (from === 'top' || from === 'outside' || READABLE_EVERYWHERE.has(target)) return null
  if (from === 'base') return isRelative && to === 'base' ? null : 'base imports only base (rule 1)'
  if (!isRelative || from === to || to === 'base') return null
  if (to === 'top') return isType ? null : 'below the top it may be named only in types (rule 2)'
  if (to === 'outside') return /\.tsx?$/.test(target) ? `${from} imports nothing outside src (rule 1)` : null
  return neighbourFault(from, to, isType)
}

const isPlumbing = (area: string) => area === 'ui' || area === 'server'

function neighbourFault(from: string, to: string, isType: boolean): string | null {
  if (isPlumbing(from) && isPlumbing(to))
    return isType ? null : 'ui and server do not see each other (rule 1)'
  if (isPlumbing(from)) return `${from} imports no rooms (rule 1)`
  if (isPlumbing(to) || ROOMS.indexOf(to) < ROOMS.indexOf(from)) return null
  return `${from} sees only lower rooms (rule 1)`
}

function emptyHandedFault(path: string, { target }: Import): string | null {
  if (!READABLE_EVERYWHERE.has(path) || READABLE_EVERYWHERE.has(target)) return null
  return 'what everyone reads imports nothing (rule 2)'
}

function browserFault(path: string, { target, isType }: Import): string | null {
  if (!isBrowser(path) || isType || !isServerOnly(target)) return null
  return 'what runs in the browser takes only types from the server (rule 3)'
}

function plainFault(path: string, { target, isRelative, isType }: Import): string | null {
  const area = areaOf(path)
  if (area === 'top' || area === 'outside' || !isPlain(path) || isType) return null
  if (isRelative && isPlain(target)) return null
  if (area === 'ui' && /^react(\/|$)/.test(target)) return null
  return 'a plain .ts file imports only plain .ts files (rule 4)'
}

// Rule 5: SQL, requests and the disk in their places

const CALLS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'query', 'executeQuery']
const QUERY = new RegExp(`\\.\\s*(?<call>${CALLS.join('|')})\\s*(?:<[^()]*>)?\\s*\\(`, 'g')
const FASTIFY = /\bFastify(?:Request|Reply|Instance)\b/g

function diskFault(path: string, { target, isType }: Import): string | null {
  if (isType || !/^(node:)?fs(\/|$)/.test(target)) return null
  if (isServer(path) || DISK_BESIDES_SERVER.has(path) || areaOf(path) === 'outside') return null
  return 'the disk is touched only in server (rule 5)'
}

function codeFaults({ path, code, imports }: Module): string[] {
  if (areaOf(path) === 'outside') return []
  const mayQuery = isDb(path) || SQL_BESIDES_DB.has(path)
  const mayAnswer = isRoutes(path) || isServer(path) || path === 'src/app.ts'
  const calls = [...code.matchAll(QUERY)].map((match) => `${match.groups?.['call']}()`)
  const sql = imports.some(bringsSql) ? ['sql from kysely'] : []
  return [
    ...(mayQuery ? [] : unique([...sql, ...calls])).map(
      (use) => `${path} uses ${use}: SQL lives only in .db.ts (rule 5)`,
    ),
    ...(mayAnswer ? [] : unique(code.match(FASTIFY) ?? [])).map(
      (name) => `${path} uses ${name}: requests are met only in .routes.ts and server (rule 5)`,
    ),
  ]
}

function bringsSql({ target, names, isType }: Import): boolean {
  if (target !== 'kysely' || isType) return false
  return names.includes('*') || /[{,]\s*sql\b/.test(names)
}

const unique = (items: string[]) => [...new Set(items)]

// Rule 6: how modules are written

const HAS_EXTENSION = /\.(tsx?|css|svg|json|html|png|jpe?g|webp|woff2?)$/
const DEFAULT_EXPORT = /(?<![.\w$])export\s+(?:default\b|\{[^}]*\bas\s+default\b)/
const STAR_EXPORT = /(?<![.\w$])export\s+(?:type\s+)?\*/

function moduleFaults({ path, code, imports }: Module): string[] {
  const bare = imports.filter(({ isRelative, target }) => isRelative && !HAS_EXTENSION.test(target))
  const rest = code.replace(STATIC, '').replace(SIDE_EFFECT, '').replaceAll(';', '').trim()
  const isBarrel = STAR_EXPORT.test(code) || (rest === '' && RE_EXPORT.test(code))
  return [
    ...bare.map(({ specifier }) => `${path} imports '${specifier}': it lacks the file's extension (rule 6)`),
    ...(DEFAULT_EXPORT.test(code) ? [`${path}: no default exports (rule 6)`] : []),
    ...(isBarrel ? [`${path}: no barrels, import from the file itself (rule 6)`] : []),
  ]
}

function cycleFaults(modules: Module[]): string[] {
  const edges = new Map(modules.map((module) => [module.path, loadedBy(module)]))
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] => {
    const start = trail.indexOf(path)
    if (start >= 0) return [`${[...trail.slice(start), path].join(' → ')}: imports form a cycle (rule 6)`]
    if (done.has(path)) return []
    const faults = (edges.get(path) ?? []).flatMap((next) => walk(next, [...trail, path]))
    done.add(path)
    return faults
  }
  return modules.flatMap(({ path }) => walk(path, []))
}

/** Returns what a module loads, except the pages in the table of pages: they load on demand and close no cycle. */
function loadedBy({ path, imports }: Module): string[] {
  const loads = imports.filter(({ isType, isDynamic }) => !isType && !(isDynamic && path === 'src/pages.ts'))
  return unique(loads.map(({ target }) => target))
}

// Names

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SUFFIX = /(?:(?:\.(?:routes|db|server))?(?:\.(?:test|spec))?\.ts|(?:\.test)?\.tsx)$/
const SAYS_NOTHING = /^(?:.*-)?(utils?|helpers?|common|misc|managers?|services?)$|^(types|constants|index)$/

function nameFaults(path: string): string[] {
  const names = path.replace(SUFFIX, '').split('/')
  const odd = names.filter((name) => !KEBAB.test(name))
  const empty = names.filter((name) => SAYS_NOTHING.test(name))
  return [
    ...odd.map((name) => `${path}: ${name} is not kebab-case with a known suffix (names)`),
    ...empty.map((name) => `${path}: the name ${name} does not say what is inside (names)`),
  ]
}
