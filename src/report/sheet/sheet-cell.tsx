import { CircleAlert, GripVertical, LockIcon } from 'lucide-react'
import { formatMoney } from '../../base/money.ts'
import { alignOf, type CellProps } from '../../ui/list/columns.ts'
import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import { isNumeric } from './cell-text.ts'
import type { CompanyColumn } from '../company/company.ts'
import { cellId, FIRST_FIELDS, useOfSheet, useSheet } from './use-sheet.ts'
import type { CellFault, SheetRow } from './sheet-row.ts'
import { PARTS, partOf, type PartColumn } from './sums.ts'

/** Icons for the page's sprite. */
export const CELL_ICONS = { grip: GripVertical, locked: LockIcon, fault: CircleAlert }

/** A cell of the report: a field, or text if the reader may not edit it. */
export function SheetCell({ row, index, column, handle }: CellProps<SheetRow>) {
  const { sheet, isReady, mayLock } = useSheet()
  const name = column.name as CompanyColumn
  const id = cellId(row.id, name)
  const fault = row.faults[name]
  const isFaulty = fault !== undefined && fault.kind !== 'note'
  const isWhole = isReady || index < FIRST_FIELDS
  const isField = isWhole && row.editable.includes(name)
  const text = sheet.textOf(row.id, name)
  const part = PARTS.find((each) => each.name === name)
  const field = isField && (
    <input
      id={id}
      data-column={name}
      defaultValue={text}
      readOnly={!isReady}
      aria-label={`${column.text}, række ${index + 1}`}
      aria-invalid={isFaulty || undefined}
      aria-describedby={fault ? `${id}-fault` : undefined}
      inputMode={inputModeOf(name, column.min)}
      enterKeyHint="next"
      autoComplete="off"
      spellCheck={false}
      placeholder={column.placeholder}
      className="cell-field"
    />
  )
  return (
    <td
      className={`sheet-cell ${column.class ?? ''}`}
      data-label={column.text}
      data-align={alignOf(column)}
      data-fault={isFaulty || undefined}
      {...(name === 'name' && isWhole && { title: text })}
    >
      {handle && (
        <span ref={handle} aria-hidden="true" className="sheet-handle noscript:invisible">
          <SpriteIcon name="grip" />
        </span>
      )}
      {!isField && <span className="sheet-text">{text}</span>}
      {isField && name === 'name' ? (
        <span className="sheet-whole" data-whole={text}>
          {field}
        </span>
      ) : (
        field
      )}
      {part && <Part row={row.id} name={part.name} text={part.text} />}
      {name === 'name' && row.locked && (
        <span className="sheet-note">
          <SpriteIcon name="locked" />
          {mayLock ? 'Låst for investoren' : 'Låst af kontoret'}
        </span>
      )}
      {fault && <FaultText id={`${id}-fault`} fault={fault} />}
    </td>
  )
}

function FaultText({ id, fault: { kind, text } }: { id: string; fault: CellFault }) {
  if (kind === 'note')
    return (
      <p id={id} className="sheet-warning">
        {text}
      </p>
    )
  return (
    <p className="sheet-fault">
      <SpriteIcon name="fault" />
      <span aria-hidden="true" className="sheet-fault-word">
        Fejl
      </span>
      <span id={id} className="sheet-fault-text">
        {text}
      </span>
    </p>
  )
}

/** Uses the text keyboard where negative numbers are allowed: an iPhone's number pad has no minus. */
function inputModeOf(column: CompanyColumn, min: number | undefined) {
  if (column === 'cvr' || column === 'year') return 'numeric'
  return isNumeric(column) && min !== undefined ? 'decimal' : 'text'
}

/** The investor's part of an amount. Updates while typing. */
function Part({ row, name, text }: { row: string; name: PartColumn; text: string }) {
  const { sheet } = useSheet()
  const part = useOfSheet(sheet, row, () => {
    const { share = null, [name]: amount = null } = sheet.valuesOf(row) ?? {}
    return partOf(share, amount)
  })
  if (part === null) return null
  return (
    <span className="sheet-part">
      <PartName text={text} /> {formatMoney(part)}
    </span>
  )
}

/** 'Andel af gæld': shows the first word; the rest is clear from the column and only read aloud. */
export function PartName({ text }: { text: string }) {
  const [word, ...rest] = text.split(' ')
  return (
    <span className="sheet-part-name">
      {word}
      <span className="sr-only"> {rest.join(' ')}</span>
    </span>
  )
}
