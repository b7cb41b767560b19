import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is'
import type { Node, TaggedTemplateExpression, TemplateLiteral } from 'typescript/unstable/ast'
import { API, SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'
import { keyOf, type Alternative, type Place, type RowTypes, type Shape } from './shapes.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = fileURLToPath(new URL('tsconfig.json', import.meta.url))

/** Has the compiler say, of every sql`…` in `src`, which rows its type promises. */
export function describeRows(program = PROGRAM): RowTypes {
  const api = new API({ cwd: ROOT })
  try {
    const project = api.updateSnapshot({ openProjects: [program] }).getProjects()[0]!
    const described = new Shapes(project.checker)
    const places: Record<string, Place[]> = {}
    const queries = project.rootFiles.flatMap((name) => findQueries(project.program.getSourceFile(name)!))
    for (const [index, type] of project.checker.getTypeAtLocation(queries).entries()) {
      const query = queries[index]!
      const rows = type?.isTypeReference() ? project.checker.getTypeArguments(type)[0] : undefined
      if (!rows) throw new Error(`${placeOf(query)} is no RawBuilder.`)
      const place = {
        at: placeOf(query),
        type: project.checker.typeToString(rows),
        shape: described.shapeOf(rows),
      }
      ;(places[keyOf(textsOf(query.template))] ??= []).push(place)
    }
    return { shapes: described.shapes, places }
  } finally {
    api.close()
  }
}

function findQueries(node: Node): TaggedTemplateExpression[] {
  const found: TaggedTemplateExpression[] = []
  node.forEachChild((child) => void found.push(...findQueries(child)))
  if (isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === 'sql') found.push(node)
  return found
}

const textsOf = (template: TemplateLiteral): string[] =>
  isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]

function placeOf(node: Node): string {
  const file = node.getSourceFile()
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file))
  return `${relative(ROOT, file.fileName)}:${line + 1}:${character + 1}`
}

/** Makes of the compiler's types what a value can be held against. */
class Shapes {
  readonly shapes: Alternative[][] = []
  #checker: Checker
  #known = new Map<number, Shape>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  shapeOf(type: Type): Shape {
    const before = this.#known.get(type.id)
    if (before !== undefined) return before
    const shape = this.shapes.push([]) - 1
    this.#known.set(type.id, shape) // before it is whole: it may contain itself
    this.shapes[shape] = this.#alternativesOf(type)
    return shape
  }

  #alternativesOf(type: Type): Alternative[] {
    if (type.isUnionType()) return type.getTypes().flatMap((each) => this.#alternativesOf(each))
    if (type.isLiteralType()) return typeof type.value === 'bigint' ? ['anything'] : [{ is: type.value }]
    for (const [flag, name] of PLAIN) if (type.flags & flag) return [name]
    if (type.flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) return []
    if (type.isIntersectionType()) {
      const plain = type.getTypes().find((each) => each.flags & TypeFlags.Primitive)
      if (plain) return this.#alternativesOf(plain)
      return type.getTypes().some((each) => each.flags & TypeFlags.Instantiable)
        ? ['anything']
        : this.#fieldsOf(type)
    }
    return type.flags & TypeFlags.Object ? this.#objectOf(type) : ['anything']
  }

  #objectOf(type: Type): Alternative[] {
    const name = type.getSymbol()?.name
    if (name === 'Date' || name === 'Buffer') return [name]
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) {
      const items = type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
      return items.map((item) => ({ each: this.shapeOf(item) }))
    }
    return this.#fieldsOf(type)
  }

  #fieldsOf(type: Type): Alternative[] {
    const [others] = this.#checker.getIndexInfosOfType(type)
    const symbols = this.#checker.getPropertiesOfType(type)
    const types = this.#checker.getTypeOfSymbol(symbols)
    const fields = symbols.map((symbol, index) => {
      const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0
      return [symbol.name, { shape: this.shapeOf(types[index]!), isOptional }] as const
    })
    return [{ fields: Object.fromEntries(fields), others: others ? this.shapeOf(others.valueType) : null }]
  }
}

const PLAIN: [TypeFlags, Alternative][] = [
  [TypeFlags.Null, 'null'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
]

const [, program, target] = process.argv
if (program === fileURLToPath(import.meta.url) && target)
  writeFileSync(target, JSON.stringify(describeRows()))
