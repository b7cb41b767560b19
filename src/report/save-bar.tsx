import { Check, CircleDot, Plus } from 'lucide-react'
import { formatMoney } from '../base/money.ts'
import { Button } from '../ui/basic/button.tsx'
import { MOST_COMPANIES } from './company/company.ts'
import { ADD_ID, SAVE_ID, useOfSheet, useSheet } from './sheet/use-sheet.ts'

type Props = { isBusy: boolean; isFlashing: boolean; onAdd: () => void; onSave: () => void }

/** Always visible below the table: a button to add a company, whether everything is saved, and the save button. */
export function SaveBar({ isBusy, isFlashing, onAdd, onSave }: Props) {
  const { sheet, isReady } = useSheet()
  const isDirty = useOfSheet(sheet, 'state', () => sheet.isDirty)
  const isFull = useOfSheet(sheet, 'rows', () => sheet.rows.length >= MOST_COMPANIES)
  return (
    <div className="save-bar sticky bottom-2 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3 shadow-lg print:hidden">
      {isFull ? (
        <p className="text-muted">Der kan højst være {formatMoney(MOST_COMPANIES)} selskaber.</p>
      ) : (
        <Button id={ADD_ID} type="button" kind="secondary" disabled={!isReady} onClick={onAdd}>
          <span className="flex items-center gap-2">
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            Tilføj Eksternt K/S Selskab
          </span>
        </Button>
      )}
      <div className="ml-auto flex items-center gap-4">
        <output className={`flex items-center gap-1.5 ${isDirty ? 'text-warn' : 'text-muted'}`}>
          {isDirty ? (
            <CircleDot size={16} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Check size={16} strokeWidth={1.75} aria-hidden="true" />
          )}
          {isDirty ? 'Ikke gemt' : 'Alt er gemt'}
        </output>
        <Button
          id={SAVE_ID}
          type="button"
          disabled={!isReady}
          loading={isBusy}
          flash={isFlashing ? 'Gemt' : null}
          onClick={onSave}
        >
          Gem
        </Button>
      </div>
    </div>
  )
}
