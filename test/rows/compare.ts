import { types as driverTypes } from 'pg'
import type { Alternative, Place, RowTypes, Shape } from './shapes.ts'

export type Column = { name: string; dataTypeID: number }
export type Row = Record<string, unknown>

type Fields = Extract<Alternative, { fields: unknown }>

/** How many rows of a result, and items of a list, are looked at. */
const MOST = 100

/** Compares what a query returns with the type that it has in the code. */
export class Comparer {
  #shapes: Alternative[][]

  constructor({ shapes }: Pick<RowTypes, 'shapes'>) {
    this.#shapes = shapes
  }

  /** Returns what does not fit in the rows of a query, or null. Places that share a text share their types. */
  faultOfRows(places: readonly Place[], columns: readonly Column[], rows: readonly Row[]): string | null {
    const alternatives = places.flatMap(({ shape }) => this.#shapes[shape]!)
    const types = alternatives.filter((each) => typeof each === 'object' && 'fields' in each)
    if (types.length === 0 || types.length < alternatives.length) return null // an unknown row
    return sayWhere(places, this.#faultOfColumns(types, columns) ?? this.#faultOfEach(types, columns, rows))
  }

  /** Returns what does not fit in one column, which a part of a query computes, or null. */
  faultOfColumn(places: readonly Place[], column: Column, rows: readonly Row[]): string | null {
    const faults = places.map(({ shape }) => this.#faultOfValues(shape, column, rows))
    return faults.includes(null) ? null : sayWhere(places, faults[0] ?? null)
  }

  #faultOfColumns(types: Fields[], columns: readonly Column[]): string | null {
    const names = columns.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) < index)
    if (twice !== undefined) return `the column ${twice} comes twice`
    const missing = types.map(({ fields }) =>
      Object.keys(fields).find((name) => !fields[name]!.isOptional && !names.includes(name)),
    )
    if (!missing.includes(undefined)) return `the column ${missing[0]} does not come`
    const more = names.find((name) => types.every(({ fields, others }) => !fields[name] && others === null))
    return more === undefined ? null : `the column ${more} comes, which the type lacks`
  }

  #faultOfEach(types: Fields[], columns: readonly Column[], rows: readonly Row[]): string | null {
    if (types.length > 1)
      return firstFault(rows, (row) => {
        const faults = types.map((type) => this.#faultInside(type, row, 'row'))
        return faults.includes(null) ? null : faults[0]!
      })
    const { fields, others } = types[0]!
    return firstFault(columns, (column) =>
      this.#faultOfValues(fields[column.name]?.shape ?? others!, column, rows),
    )
  }

  #faultOfValues(shape: Shape, { name, dataTypeID }: Column, rows: readonly Row[]): string | null {
    const kind = KINDS.get(dataTypeID)
    if (kind && !this.#allows(shape, kind)) return `${name} is a ${kind}, not ${this.#say(shape)}`
    return firstFault(rows, (row) => this.#faultOfValue(shape, row[name], name))
  }

  /** Whether a value of this kind may come. It is asked when there are no rows, too. */
  #allows(shape: Shape, kind: string): boolean {
    return this.#shapes[shape]!.some((each) => {
      if (typeof each === 'string') return each === kind || each === 'anything'
      return 'is' in each && typeof each.is === kind
    })
  }

  #faultOfValue(shape: Shape, value: unknown, path: string): string | null {
    let inside: string | null = null
    for (const alternative of this.#shapes[shape]!) {
      if (typeof alternative === 'string') {
        if (IS[alternative](value)) return null
      } else if ('is' in alternative) {
        if (alternative.is === value) return null
      } else if ('each' in alternative ? Array.isArray(value) : isObject(value)) {
        inside =
          'each' in alternative
            ? this.#faultOfItems(alternative.each, value as unknown[], path)
            : this.#faultInside(alternative, value as Row, path)
        if (inside === null) return null
      }
    }
    return inside ?? `${path} is ${show(value)}, not ${this.#say(shape)}`
  }

  #faultOfItems(each: Shape, items: unknown[], path: string): string | null {
    return firstFault(items, (item, index) => this.#faultOfValue(each, item, `${path}[${index}]`))
  }

  /** A value may have more fields than its type: stored JSON has, when only a part of it is read. */
  #faultInside({ fields, others }: Fields, value: Row, path: string): string | null {
    return firstFault([...new Set([...Object.keys(fields), ...Object.keys(value)])], (key) => {
      if (!(key in value)) return fields[key]!.isOptional ? null : `${path}.${key} does not come`
      const shape = fields[key]?.shape ?? others
      return shape === null ? null : this.#faultOfValue(shape, value[key], `${path}.${key}`)
    })
  }

  #say(shape: Shape): string {
    const words = this.#shapes[shape]!.map((each) => {
      if (typeof each === 'string') return each
      if ('is' in each) return JSON.stringify(each.is)
      return 'each' in each ? `(${this.#say(each.each)})[]` : 'an object'
    })
    return words.join(' | ') || 'never'
  }
}

/** 'src/x.db.ts:3:4 says { id: number }: id is "7", not number' */
const sayWhere = ([place]: readonly Place[], fault: string | null) =>
  place && fault !== null ? `${place.at} says ${place.type}: ${fault}` : null

function firstFault<Item>(
  items: readonly Item[],
  faultOf: (item: Item, index: number) => string | null,
): string | null {
  for (let index = 0; index < items.length && index < MOST; index++) {
    const fault = faultOf(items[index]!, index)
    if (fault !== null) return fault
  }
  return null
}

const show = (value: unknown) =>
  JSON.stringify(value)?.slice(0, 100) + (value instanceof Date ? ' (a Date)' : '')

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value)

const IS: Record<Extract<Alternative, string>, (value: unknown) => boolean> = {
  anything: () => true,
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  Date: (value) => value instanceof Date,
  Buffer: (value) => Buffer.isBuffer(value),
}

const {
  BOOL,
  INT2,
  INT4,
  INT8,
  FLOAT4,
  FLOAT8,
  NUMERIC,
  VARCHAR,
  UUID,
  DATE,
  TIMESTAMP,
  TIMESTAMPTZ,
  BYTEA,
} = driverTypes.builtins

/** The JavaScript kinds of PostgreSQL's types. Text is left out, because an untyped null is text. */
const KINDS = new Map<number, string>([
  [BOOL, 'boolean'],
  [INT2, 'number'],
  [INT4, 'number'],
  [INT8, 'number'],
  [FLOAT4, 'number'],
  [FLOAT8, 'number'],
  [NUMERIC, 'string'],
  [VARCHAR, 'string'],
  [UUID, 'string'],
  [DATE, 'Date'],
  [TIMESTAMP, 'Date'],
  [TIMESTAMPTZ, 'Date'],
  [BYTEA, 'Buffer'],
])
