import type { ComponentType, ReactNode, RefObject } from 'react'
import { formatValue, type Fields, type Value } from '../../base/fields/field.ts'

/** How a cell is shown. */
export type CellType = 'text' | 'number' | 'currency' | 'date' | 'bytes' | 'actions'

export type Align = 'left' | 'center' | 'right'

export const ALIGNED: Record<Align, string> = {
  left: 'text-left',
  center: 'text-center',
  right: 'text-right',
}

export type TableRow = { id: number | string }

/** A column, as the seed describes one: S3.7. */
export type Column<Row extends TableRow> = Heading & {
  /** Draws the cell's content, if it is not simply the row's value under `name`. */
  value?: (row: Row) => ReactNode
  /** Draws the whole cell, its `td` included. */
  cell?: ComponentType<CellProps<Row>>
}

export type CellProps<Row extends TableRow> = {
  row: Row
  index: number
  column: Column<Row>
  /** Draws the drag handle, if the column has it. */
  handle: RefObject<HTMLSpanElement | null> | undefined
}

/** Returns the columns of these fields: plain texts, on wide screens alone, unless `looks` says otherwise. */
export const fieldColumns = <Row extends TableRow>(
  fields: Fields,
  names: readonly string[],
  looks: Partial<Record<string, Partial<Column<Row>>>>,
): Column<Row>[] =>
  names.map((name) => ({
    text: fields[name]!.label,
    name,
    class: '@max-list:hidden',
    value: (row) => formatValue(fields[name]!, (row as Record<string, unknown>)[name] as Value),
    ...looks[name],
  }))

/** The parts of a column that do not depend on the row's type. */
export type Heading = {
  /** The text of the head. */
  text: string
  /** The key in a row, in the sort order and in a field's name. */
  name: string
  /** Text by default; `actions` cannot be sorted by. */
  type?: CellType
  /** Numbers are right-aligned by default. */
  align?: Align
  /** Whether the head sorts, in a table that can be sorted; true by default, except for actions. */
  sortable?: boolean
  /** The column has the drag handle. */
  draggable?: boolean
  /** The least value of an editable number cell. */
  min?: number
  /** The CSS classes of the column's cells. */
  class?: string
  /** How many columns the head spans; the columns that it covers have no head. */
  colspan?: number
  /** The text of a cell without a value. */
  placeholder?: string
  /** A second line in the head. */
  below?: string
}

export const isSortable = ({ sortable, type, text }: Heading) =>
  type !== 'actions' && text !== '' && (sortable ?? true)

export function alignOf({ align, type }: Heading): Align {
  return align ?? (type === 'number' || type === 'currency' || type === 'bytes' ? 'right' : 'left')
}

/** Returns the columns that have a head; a spanning head covers its neighbours. */
export function headsOf(columns: readonly Heading[]): Heading[] {
  let covered = 0
  return columns.filter(({ colspan = 1 }) => {
    if (covered > 0) return covered-- < 0
    covered = colspan - 1
    return true
  })
}
