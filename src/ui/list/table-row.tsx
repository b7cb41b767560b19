import { GripVertical } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatMoney } from '../../base/money.ts'
import { ALIGNED, alignOf, type CellType, type Column, type Heading, type TableRow } from './columns.ts'
import { ShortDate } from '../basic/short-date.tsx'
import { useRowDrag } from '../drag/use-row-drag.ts'

type Props<Row extends TableRow> = {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  onMove: ((from: number, to: number) => void) | undefined
}

function BodyRow<Row extends TableRow>({ row, index, columns, onMove }: Props<Row>) {
  const { target, handle, isDragged, line } = useRowDrag<HTMLTableRowElement>(index, onMove)
  return (
    <tr
      ref={target}
      data-row={row.id}
      data-line={line}
      className={`drop-line hover:bg-hover ${isDragged ? 'opacity-50' : ''}`}
    >
      {columns.map((column) => {
        const { cell: Cell } = column
        if (Cell)
          return (
            <Cell
              key={column.name}
              row={row}
              index={index}
              column={column}
              handle={column.draggable && onMove ? handle : undefined}
            />
          )
        const cell = <CellText column={column} row={row} />
        return (
          <td
            key={column.name}
            className={`h-11 border-b border-line px-4 py-1 ${
              isFigure(column) ? 'whitespace-nowrap tabular-nums' : 'wrap-anywhere'
            } ${ALIGNED[alignOf(column)]} ${column.class ?? ''}`}
          >
            {column.draggable && onMove ? (
              <span className="flex items-center gap-2">
                <span ref={handle} aria-hidden="true" className="shrink-0 cursor-grab text-muted">
                  <GripVertical size={16} strokeWidth={1.75} />
                </span>
                <span className="min-w-0 flex-1">{cell}</span>
              </span>
            ) : (
              cell
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** Is drawn again only when the row itself changes: a table may have a thousand rows. */
export const TableBodyRow = memo(BodyRow) as typeof BodyRow

const isFigure = ({ type = 'text' }: Heading) => type !== 'text' && type !== 'actions'

function CellText<Row extends TableRow>({ column, row }: { column: Column<Row>; row: Row }) {
  if (column.value) return column.value(row)
  const value = (row as Record<string, unknown>)[column.name]
  if (value === undefined || value === null || value === '')
    return <span className="text-muted">{column.placeholder}</span>
  return WRITE[column.type ?? 'text'](value)
}

const WRITE: Record<CellType, (value: unknown) => ReactNode> = {
  text: String,
  actions: String,
  number: (value) => formatMoney(Number(value)),
  currency: (value) => formatMoney(Number(value)),
  bytes: (value) => formatBytes(Number(value)),
  date: (value) => <ShortDate at={String(value)} />,
}
