import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { toggleSort, type Sort } from '../../base/sort.ts'
import {
  ALIGNED,
  alignOf,
  headsOf,
  isSortable,
  type Align,
  type Column,
  type Heading,
  type TableRow,
} from './columns.ts'
import { usePieces } from '../basic/pieces.ts'
import { isPlainClick } from '../basic/plain-click.ts'
import { TableBodyRow } from './table-row.tsx'
import { useScrollWhileDragging } from '../drag/use-row-drag.ts'

type Sorting = { now: Sort | null; hrefOf: (sort: Sort) => string; onSort: (sort: Sort) => void }

type Props<Row extends TableRow> = {
  /** The table's name for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Without it, the table cannot be sorted. */
  sorting?: Sorting
  /** True while the rows are fetched again: the old rows stay, dimmed. */
  isBusy?: boolean
  /** The text of an empty table; S8.3 by default. */
  empty?: ReactNode
  /** The total count, or that it is above a number. With it, the table shows S9.9's footer. */
  total?: number | string
  beside?: ReactNode
  /** Called when a row was dragged to another place. */
  onMove?: (from: number, to: number) => void
  /** Edited like a spreadsheet: the table scrolls in its own box, and on narrow screens each row is a card. */
  isSheet?: boolean
  /** A `tfoot`. */
  foot?: ReactNode
  /** Returns the heading that consecutive rows share, such as their day. */
  groupOf?: (row: Row) => string
  /** Wraps the rows when the server renders a long table in pieces. */
  around?: (rows: ReactNode) => ReactNode
}

/** The rows of one piece. */
const PIECE = 40

/** A table, drawn from its column definitions. */
export function Table<Row extends TableRow>(props: Props<Row>) {
  const { caption, columns, rows, sorting, isBusy = false, empty = 'Intet fundet...', total, beside } = props
  const { isSheet = false, foot } = props
  const box = useScrollWhileDragging(isSheet)
  const addPieces = usePieces()?.add ?? null
  const inPieces = (addPieces && rows.length > PIECE && !props.groupOf && props.around) || null
  return (
    <div ref={box} className={isSheet ? 'sheet-box' : 'relative rounded-card border border-line bg-surface'}>
      {isBusy && <span className="busy-bar" aria-hidden="true" />}
      <table aria-busy={isBusy} className={isSheet ? 'sheet' : 'w-full border-separate border-spacing-0'}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {headsOf(columns).map((column) => (
              <Head key={column.name} column={column} sorting={sorting} isSheet={isSheet} />
            ))}
          </tr>
        </thead>
        {inPieces && addPieces && (
          <tbody
            className=""
            dangerouslySetInnerHTML={{ __html: addPieces(piecesOf(props).map(inPieces)) }}
          />
        )}
        {(inPieces ? [] : groupsOf(rows, props.groupOf)).map(({ group, first, members }) => (
          <tbody key={group ?? ''} className={isBusy ? 'text-muted' : ''}>
            {group !== null && (
              <tr>
                <th scope="rowgroup" colSpan={columns.length} className={GROUP}>
                  <span className="inline-block first-letter:uppercase">{group}</span>
                </th>
              </tr>
            )}
            {rowsOf(props, members, first)}
            {rows.length === 0 && (
              <tr>
                <td
                  colSpan={columns.length}
                  className={`border-b border-line px-4 py-6 text-muted ${isSheet ? '@max-list:border-0 @max-list:p-0' : ''}`}
                >
                  {empty}
                </td>
              </tr>
            )}
          </tbody>
        ))}
        {foot}
      </table>
      {total !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
          <output className="text-meta text-muted tabular-nums">
            Viser {formatCount(rows.length)} af {typeof total === 'number' ? formatCount(total) : total}{' '}
            resultater
          </output>
          {beside}
        </div>
      )}
    </div>
  )
}

function rowsOf<Row extends TableRow>(props: Props<Row>, rows: readonly Row[], first: number): ReactNode[] {
  const { columns, onMove } = props
  return rows.map((row, index) => (
    <TableBodyRow key={row.id} row={row} index={first + index} columns={columns} onMove={onMove} />
  ))
}

function piecesOf<Row extends TableRow>(props: Props<Row>): ReactNode[][] {
  const { rows } = props
  return Array.from({ length: Math.ceil(rows.length / PIECE) }, (_, nth) =>
    rowsOf(props, rows.slice(nth * PIECE, (nth + 1) * PIECE), nth * PIECE),
  )
}

const GROUP = 'border-b border-line bg-canvas px-4 pt-4 pb-2 text-left font-medium'

type Group<Row> = { group: string | null; first: number; members: readonly Row[] }

/** Groups the rows by their headings, in order. */
function groupsOf<Row>(rows: readonly Row[], groupOf: ((row: Row) => string) | undefined): Group<Row>[] {
  if (!groupOf || rows.length === 0) return [{ group: null, first: 0, members: rows }]
  const names = rows.map(groupOf)
  const starts = names.flatMap((name, index) => (name === names[index - 1] ? [] : [index]))
  return starts.map((first, nth) => ({
    group: names[first]!,
    first,
    members: rows.slice(first, starts[nth + 1]),
  }))
}

const HEAD =
  'list-head sticky top-0 z-10 border-b border-line bg-sunken font-normal text-muted first:rounded-tl-card last:rounded-tr-card'

type HeadProps = { column: Heading; sorting: Sorting | undefined; isSheet: boolean }

function Head({ column, sorting, isSheet }: HeadProps) {
  const { text, name, colspan, type, below, class: classes = '' } = column
  const align = alignOf(column)
  const look = `${isSheet ? 'sheet-head' : HEAD} ${ALIGNED[align]} ${classes}`
  if (!sorting || !isSortable(column))
    return (
      <th scope="col" colSpan={colspan} className={`${look} ${isSheet ? '' : 'px-4 py-2.5'}`}>
        {type === 'actions' ? (
          <span className={isSheet ? 'sr-only' : '@max-list:sr-only'}>{text}</span>
        ) : (
          text
        )}
        {below && <span className="block font-normal">{below}</span>}
      </th>
    )
  const direction = sorting.now?.column === name ? sorting.now.direction : null
  return (
    <th
      scope="col"
      colSpan={colspan}
      aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
      className={look}
    >
      <SortLink align={align} direction={direction} sorting={sorting} sort={toggleSort(sorting.now, name)}>
        {text}
      </SortLink>
    </th>
  )
}

type SortLinkProps = {
  align: Align
  direction: Sort['direction'] | null
  sorting: Sorting
  sort: Sort
  children: ReactNode
}

/** A link, so that it works without JavaScript; the keyboard uses it like a button. */
function SortLink({ align, direction, sorting, sort, children }: SortLinkProps) {
  const Icon = direction === null ? ArrowUpDown : direction === 'asc' ? ArrowUp : ArrowDown
  const change = (event: MouseEvent | KeyboardEvent) => {
    event.preventDefault()
    sorting.onSort(sort)
  }
  return (
    <a
      href={sorting.hrefOf(sort)}
      onClick={(event) => isPlainClick(event) && change(event)}
      onKeyDown={(event) => event.key === ' ' && change(event)}
      className={`group flex min-h-10 items-center gap-1.5 px-4 hover:text-ink pointer-coarse:min-h-11 ${
        align === 'right' ? 'flex-row-reverse' : ''
      } ${direction === null ? '' : 'font-medium text-ink'}`}
    >
      {children}
      <Icon
        size={14}
        strokeWidth={1.75}
        aria-hidden="true"
        className={
          direction === null ? 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100' : ''
        }
      />
    </a>
  )
}
