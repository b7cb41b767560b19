import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { SignInLink } from '../ui/overlay/sign-in-link.tsx'
import { COLUMNS } from './company/company.ts'
import type { Trouble } from './use-report-saving.ts'
import { cellId, useOfSheet, useSheet } from './sheet/use-sheet.ts'
import { focusCell } from './sheet/use-sheet-walk.ts'

/** At most this many faults are listed. */
const MOST_SHOWN = 5

type Props = {
  trouble: Trouble | null
  /** How many saves were refused. Each one moves the focus here. */
  refusals: number
}

/** Lists the faults above the table, with a link to each cell. */
export function FaultSummary({ trouble, refusals }: Props) {
  const summary = useRef<HTMLDivElement>(null)
  const { sheet } = useSheet()
  const rows = useOfSheet(sheet, 'rows', () => sheet.rows)
  useEffect(() => {
    if (refusals > 0) summary.current?.focus()
  }, [refusals])
  const hasFaults = trouble !== null || rows.some((row) => Object.keys(row.faults).length > 0)
  const faults = hasFaults ? sheet.faults : []
  if (!trouble && faults.length === 0) return null
  const more = faults.length - MOST_SHOWN
  return (
    <div
      ref={summary}
      tabIndex={-1}
      role="alert"
      className="flex gap-2 rounded-card bg-danger-soft px-4 py-3 text-danger print:hidden"
    >
      <CircleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <div className="grid gap-1">
        {trouble && <p>{trouble.message}</p>}
        {trouble?.isSignedOut && (
          <p>
            <SignInLink />
          </p>
        )}
        {faults.length > 0 && (
          <>
            <p className="font-medium">
              {faults.length === 1 ? 'Ét felt skal rettes' : `${faults.length} felter skal rettes`}, før
              rapporten kan gemmes:
            </p>
            <ul className="grid gap-1">
              {faults.slice(0, MOST_SHOWN).map(({ row, index, column, text }) => (
                <li key={cellId(row.id, column)}>
                  <a
                    href={`#${cellId(row.id, column)}`}
                    onClick={(event) => {
                      event.preventDefault()
                      focusCell(row.id, row.editable.includes(column) ? column : undefined)
                    }}
                    className="underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-2"
                  >
                    Række {index + 1}, {COLUMNS.find(({ name }) => name === column)!.text}
                  </a>
                  : {text}
                </li>
              ))}
            </ul>
            {more > 0 && <p>og {more === 1 ? 'én til' : `${more} flere`}.</p>}
          </>
        )}
      </div>
    </div>
  )
}
