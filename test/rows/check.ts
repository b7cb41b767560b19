import { readFileSync } from 'node:fs'
import {
  AliasNode,
  DefaultQueryCompiler,
  IdentifierNode,
  RawNode,
  type CompiledQuery,
  type OperationNode,
  type SelectionNode,
} from 'kysely'
import { Query } from 'pg'
import { Comparer, type Column, type Row } from './compare.ts'
import { addRowFault } from './faults.ts'
import { keyOf, type Place, type RowTypes } from './shapes.ts'

/** The types that the code gives a query: of its rows, or of the columns that a piece of raw SQL computes. */
type Known = { rows: Place[]; columns: Map<string, Place[]> }

type Result = { fields: Column[]; rows: Row[] }
/** A query of the driver. Its types leave out what happens when the result is complete. */
type Asked = {
  text: string
  _results: Result | Result[]
  handleReadyForQuery: (connection: unknown) => void
}

/**
 * From now on, compares every result with the type of its query in the code. Kysely knows the query of a text, and the
 * driver has the text and the rows, whichever way the query came: a pool, a transaction, a prepared query.
 */
export function checkRows(file: string): void {
  if (MARK in Query.prototype) return
  Object.defineProperty(Query.prototype, MARK, { value: true })
  const types: RowTypes = JSON.parse(readFileSync(file, 'utf8'))
  const places = new Map(Object.entries(types.places))
  const comparer = new Comparer(types)
  const known = new Map<string, Known>()

  wrap(DefaultQueryCompiler.prototype, 'compileQuery', (compile) => {
    return function (this: DefaultQueryCompiler, node, id): CompiledQuery {
      const compiled = compile.call(this, node, id)
      if (!known.has(compiled.sql)) known.set(compiled.sql, findTypes(node, places))
      return compiled
    }
  })
  wrap(Query.prototype as unknown as Asked, 'handleReadyForQuery', (finish) => {
    return function (this: Asked, connection): void {
      const { text, _results: result } = this
      const said = known.get(text)
      if (said && !Array.isArray(result) && result.fields.length > 0) compare(said, result)
      finish.call(this, connection)
    }
  })

  function compare(said: Known, { fields, rows }: Result): void {
    addRowFault(comparer.faultOfRows(said.rows, fields, rows))
    for (const field of fields)
      addRowFault(comparer.faultOfColumn(said.columns.get(field.name) ?? [], field, rows))
  }
}

function wrap<Target, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: (before: Target[Name]) => Target[Name],
): void {
  target[name] = make(target[name])
}

/** Test files that share no modules still share the driver. */
const MARK = Symbol.for('ringbind.rows-are-checked')

function findTypes(node: OperationNode, places: Map<string, Place[]>): Known {
  const placesOf = (of: OperationNode) => (RawNode.is(of) ? (places.get(keyOf(of.sqlFragments)) ?? []) : [])
  const columns = new Map<string, Place[]>()
  for (const { selection } of selectionsOf(node))
    if (AliasNode.is(selection) && IdentifierNode.is(selection.alias))
      columns.set(selection.alias.name, placesOf(selection.node))
  return { rows: placesOf(claimedIn(node)), columns }
}

/**
 * Returns the inner query of `claimEach`, which takes the first row of another query, whose type says what it returns.
 */
function claimedIn(node: OperationNode): OperationNode {
  if (!RawNode.is(node) || node.sqlFragments[0] !== '') return node
  return node.sqlFragments[1]?.startsWith(' limit 1 for ') ? node.parameters[0]! : node
}

function selectionsOf(node: OperationNode): readonly SelectionNode[] {
  const { selections, returning } = node as {
    selections?: readonly SelectionNode[]
    returning?: { selections: readonly SelectionNode[] }
  }
  return selections ?? returning?.selections ?? []
}
