import type { ComponentType, ReactNode, RefObject } from 'react'

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
  /** What the cell shows, when that is not simply what the row has under `name`. */
  value?: (row: Row) => ReactNode
  /** The whole cell, its `td` and all, when it does more than to show or to hold what the row has. */
  cell?: ComponentType<CellProps<Row>>
}

export type CellProps<Row extends TableRow> = {
  row: Row
  index: number
  column: Column<Row>
  /** What the row is dragged by, where the column carries it. */
  handle: RefObject<HTMLSpanElement | null> | undefined
}

/** What a column is, whatever its rows are. */
export type Heading = {
  /** The head. */
  text: string
  /** The key in a row, in the sort and in a field's name. */
  name: string
  /** Text unless said otherwise; `actions` is never sorted by. */
  type?: CellType
  /** Numbers stand to the right by themselves. */
  align?: Align
  /** Whether its head sorts, in a table that can; every column's but actions unless said otherwise. */
  sortable?: boolean
  /** The column carries the handle that a row is dragged by. */
  draggable?: boolean
  /** The least value of a number cell that is written in. */
  min?: number
  /** Classes of the column's cells. */
  class?: string
  /** How many columns the head spans; those that follow have none of their own. */
  colspan?: number
  /** What stands in a cell that has no value. */
  placeholder?: string
  /** A second line in the head. */
  below?: string
}

export const isSortable = ({ sortable, type, text }: Heading) =>
  type !== 'actions' && text !== '' && (sortable ?? true)

export function alignOf({ align, type }: Heading): Align {
  return align ?? (type === 'number' || type === 'currency' || type === 'bytes' ? 'right' : 'left')
}

/** The columns that have a head: one that spans more takes its neighbours' place. */
export function headsOf(columns: readonly Heading[]): Heading[] {
  let covered = 0
  return columns.filter(({ colspan = 1 }) => {
    if (covered > 0) return covered-- < 0
    covered = colspan - 1
    return true
  })
}
