import type { ReactNode } from 'react'
import type { Column } from '../../ui/list/columns.ts'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { Table } from '../../ui/list/table.tsx'
import { COLUMNS } from '../company/company.ts'
import { ACTION_ICONS, RowActions } from './row-actions.tsx'
import { CELL_ICONS, SheetCell } from './sheet-cell.tsx'
import { SHEET_ID, SheetProvider, useOfSheet, useSheet, type SheetScreen } from './use-sheet.ts'
import type { SheetRow } from './sheet-row.ts'
import { PARTS } from './sums.ts'
import { SumsRow, widthOf } from './sums-row.tsx'

const TABLE_COLUMNS: Column<SheetRow>[] = [
  ...COLUMNS.map((column): Column<SheetRow> => ({
    ...column,
    cell: SheetCell,
    class: `sheet-${column.type === 'currency' ? 'amount' : column.name}`,
    ...(column.name === 'name' && { draggable: true, placeholder: 'Selskabets navn' }),
    ...(PARTS.some(({ name }) => name === column.name) && { below: 'Andel' }),
  })),
  { name: 'actions', text: 'Handlinger', type: 'actions', class: 'sheet-acts', cell: RowActions },
]

/** Without the acts on rows. */
const READ_COLUMNS = TABLE_COLUMNS.slice(0, -1)

const ICONS = { ...ACTION_ICONS, ...CELL_ICONS }

const within = (screen: SheetScreen) => (rows: ReactNode) => (
  <SheetProvider value={screen}>{rows}</SheetProvider>
)

type Props = { onMove?: (from: number, to: number) => void }

/** S2.8: the external companies, edited like a spreadsheet. */
export function ReportTable({ onMove }: Props) {
  const screen = useSheet()
  const { sheet, mayEdit, mayLock } = screen
  const rows = useOfSheet(sheet, 'rows', () => sheet.rows)
  const width = useOfSheet(sheet, 'sums', () => widthOf(sheet.longestAmount))
  return (
    <div id={SHEET_ID} data-amounts={width} className={`@container ${mayLock ? 'is-lockable' : ''}`}>
      <IconSprite icons={ICONS} />
      <Table
        caption="Eksterne K/S-selskaber"
        columns={mayEdit ? TABLE_COLUMNS : READ_COLUMNS}
        rows={rows}
        {...(onMove && { onMove })}
        isSheet
        around={within(screen)}
        empty="Der er ingen selskaber endnu."
        foot={rows.length > 0 && <SumsRow />}
      />
    </div>
  )
}
