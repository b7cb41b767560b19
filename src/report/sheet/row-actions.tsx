import { ArrowDown, ArrowUp, LockKeyhole, LockKeyholeOpen, Trash2 } from 'lucide-react'
import type { CellProps } from '../../ui/list/columns.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { FIRST_FIELDS, useOfSheet, useSheet } from './use-sheet.ts'
import type { SheetRow } from './sheet-row.ts'

/** Icons for the page's sprite. */
export const ACTION_ICONS = {
  up: ArrowUp,
  down: ArrowDown,
  lock: LockKeyhole,
  unlock: LockKeyholeOpen,
  remove: Trash2,
}

export function RowActions({ row, index }: CellProps<SheetRow>) {
  const { sheet, isReady, mayLock, act } = useSheet()
  const isLast = useOfSheet(sheet, 'rows', () => sheet.rows.at(-1)?.id === row.id)
  const name = sheet.textOf(row.id, 'name') || `række ${index + 1}`
  const hasButtons = isReady || index < FIRST_FIELDS
  return (
    <td className="sheet-actions">
      {hasButtons && (
        <span className="flex noscript:hidden">
          <IconButton
            label={`Flyt ${name} op`}
            icon="up"
            data-act="up"
            disabled={index === 0}
            onClick={() => act.move(row.id, -1)}
          />
          <IconButton
            label={`Flyt ${name} ned`}
            icon="down"
            data-act="down"
            disabled={isLast}
            onClick={() => act.move(row.id, 1)}
          />
          {mayLock && (
            <IconButton
              label={row.locked ? `Lås ${name} op` : `Lås ${name}`}
              icon={row.locked ? 'lock' : 'unlock'}
              data-act="lock"
              data-tooltip={
                row.locked
                  ? `Låst. Tryk for at låse ${name} op.`
                  : `Lås ${name}, så investoren kun kan ændre resthæftelse, egenkapital, gæld og resultat.`
              }
              aria-pressed={row.locked}
              onClick={() => act.lock(row.id, !row.locked)}
            />
          )}
          <IconButton
            label={row.deletable ? `Slet ${name}` : `${name} er låst af kontoret og kan ikke slettes`}
            icon="remove"
            data-act="remove"
            disabled={!row.deletable}
            danger={row.deletable}
            onClick={() => act.remove(row.id)}
          />
        </span>
      )}
    </td>
  )
}
