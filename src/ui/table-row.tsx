import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../base/bytes.ts'
import { shortDate } from '../base/dates.ts'
import { formatMoney } from '../base/money.ts'
import { ALIGNED, alignOf, type CellType, type Column, type Heading, type TableRow } from './columns.ts'
import { useFrame } from './frame.ts'
import { TableField } from './table-field.tsx'
import { useRowDrag } from './use-row-drag.ts'

type Props<Row extends TableRow> = {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  name: string | undefined
  onMove: ((from: number, to: number) => void) | undefined
}

export function TableBodyRow<Row extends TableRow>({ row, index, columns, name, onMove }: Props<Row>) {
  const { target, handle, isDragged, line } = useRowDrag<HTMLTableRowElement>(index, onMove)
  return (
    <tr
      ref={target}
      data-line={line}
      className={`group drop-line hover:bg-hover ${isDragged ? 'opacity-50' : ''}`}
    >
      {columns.map((column) => {
        const path = `${name}.${index}.${column.name}`
        const align = ALIGNED[alignOf(column)]
        const look = `h-11 border-b border-line px-4 py-1.5 wrap-anywhere ${isFigure(column) ? 'tabular-nums' : ''} ${align} ${column.class ?? ''}`
        return name !== undefined && row.editable?.includes(column.name) ? (
          <td key={column.name} className={look}>
            <TableField name={name} index={index} row={row} column={column} path={path} />
          </td>
        ) : (
          <td key={column.name} className={look}>
            {column.draggable && onMove && (
              <span
                ref={handle}
                aria-hidden="true"
                className="inline-grid cursor-grab place-items-center text-muted"
              >
                <GripVertical size={16} strokeWidth={1.75} />
              </span>
            )}
            <CellText column={column} row={row} />
          </td>
        )
      })}
    </tr>
  )
}

const isFigure = ({ type = 'text' }: Heading) => type !== 'text' && type !== 'actions'

function CellText<Row extends TableRow>({ column, row }: { column: Column<Row>; row: Row }) {
  const { timeZone } = useFrame()
  if (column.value) return column.value(row)
  const value = (row as Record<string, unknown>)[column.name]
  if (value === undefined || value === null || value === '')
    return <span className="text-muted">{column.placeholder}</span>
  return WRITE[column.type ?? 'text'](value, timeZone)
}

const WRITE: Record<CellType, (value: unknown, timeZone: string) => ReactNode> = {
  text: String,
  actions: String,
  number: (value) => formatMoney(Number(value)),
  currency: (value) => formatMoney(Number(value)),
  bytes: (value) => formatBytes(Number(value)),
  date: (value, timeZone) => shortDate(String(value), timeZone),
}
