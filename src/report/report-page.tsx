import { Download, Printer } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../ui/basic/button.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { showToast } from '../ui/overlay/toasts.ts'
import { useHydrated } from '../ui/basic/use-hydrated.ts'
import { useLeaveWarning } from '../ui/basic/use-leave-warning.ts'
import { urls } from '../urls.ts'
import type { CompanyReport } from './company/company.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { FaultSummary } from './fault-summary.tsx'
import { ReportTable } from './sheet/report-table.tsx'
import { SaveBar } from './save-bar.tsx'
import { Sheet } from './sheet/sheet.ts'
import { useReportSaving } from './use-report-saving.ts'
import { focusAct, focusAfterTable, focusCell, rowElement, useSheetWalk } from './sheet/use-sheet-walk.ts'
import { ADD_ID, SAVE_ID, SheetProvider, type RowActs } from './sheet/use-sheet.ts'

type ReportPageProps = {
  user: { id: number; name: string }
  report: CompanyReport
  mayEdit: boolean
  mayLock: boolean
}

/** Returns the actions on rows, each of which is announced. */
function reportActs(
  sheet: Sheet,
  takeVersion: ReturnType<typeof useReportSaving>['decide'],
  setAnnouncement: (text: string) => void,
) {
  function move(row: string, by: -1 | 1): void {
    const from = sheet.rows.findIndex(({ id }) => id === row)
    moveTo(from, from + by)
  }

  function moveTo(from: number, to: number): void {
    const row = sheet.rows[from]
    if (!row || to < 0 || to >= sheet.rows.length) return
    // The browser drops the focus when the focused element moves.
    const held = document.activeElement
    const act = held instanceof HTMLElement && rowElement(row.id)?.contains(held) ? held : null
    flushSync(() => sheet.move(from, to))
    act?.focus()
    setAnnouncement(`${nameOf(row.id)} er flyttet til plads ${to + 1} af ${sheet.rows.length}.`)
  }

  function remove(row: string): void {
    const index = sheet.rows.findIndex(({ id }) => id === row)
    const name = nameOf(row)
    let undo = () => {}
    flushSync(() => (undo = sheet.remove(row)))
    const next = sheet.rows[Math.min(index, sheet.rows.length - 1)]
    if (next) focusAct(next.id, 'remove')
    else document.getElementById(SAVE_ID)?.focus()
    showToast(`${name} bliver slettet, når du gemmer.`, {
      action: {
        text: 'Fortryd',
        label: `Fortryd sletning af ${name}`,
        run: () => {
          flushSync(undo)
          focusCell(row)
        },
      },
    })
  }

  function lock(row: string, locked: boolean): void {
    sheet.setLocked(row, locked)
    setAnnouncement(`${nameOf(row)} bliver ${locked ? 'låst' : 'låst op'}, når du gemmer.`)
  }

  function add(): void {
    flushSync(() => sheet.add())
    const row = sheet.rows.at(-1)!
    focusCell(row.id, 'name')
    setAnnouncement(`Række ${sheet.rows.length} er tilføjet.`)
  }

  function decide(mode: 'mine' | 'theirs'): void {
    const { dropped } = flushSync(() => takeVersion(mode))
    if (dropped > 0)
      showToast(
        `${dropped === 1 ? 'Én af dine ændringer' : `${dropped} af dine ændringer`} kunne ikke beholdes, fordi kontoret har låst rækken.`,
        { kind: 'fault' },
      )
    setAnnouncement(
      mode === 'mine'
        ? 'Dine ændringer står oven på den nyeste udgave. De er ikke gemt endnu.'
        : 'Den nyeste udgave er hentet.',
    )
    document.getElementById(SAVE_ID)?.focus()
  }

  const nameOf = (row: string) =>
    sheet.textOf(row, 'name').trim() || `Række ${sheet.rows.findIndex(({ id }) => id === row) + 1}`

  return { move, remove, lock, add, decide }
}

/** An investor's external companies: S2.8. */
export function ReportPage({ user, report, mayEdit, mayLock }: ReportPageProps) {
  const [sheet] = useState(() => new Sheet(report))
  const [announcement, setAnnouncement] = useState('')
  const isReady = useHydrated()
  const saving = useReportSaving({ user: user.id, sheet, mayLock })
  const save = () => void saving.save()

  const { move, remove, lock, add, decide } = reportActs(sheet, saving.decide, setAnnouncement)

  useSheetWalk({ sheet, onMoveRow: move, onSave: save, onNote: setAnnouncement })
  useLeaveWarning(() => sheet.isDirty)

  const acts = useRef<RowActs>({ move, remove, lock })
  useEffect(() => {
    acts.current = { move, remove, lock }
  })
  const screen = useMemo(() => {
    const act: RowActs = {
      move: (row, by) => acts.current.move(row, by),
      remove: (row) => acts.current.remove(row),
      lock: (row, locked) => acts.current.lock(row, locked),
    }
    return { sheet, isReady, mayEdit, mayLock, act }
  }, [sheet, isReady, mayEdit, mayLock])
  const [drag] = useState(() => (from: number, to: number) => {
    sheet.move(from, to)
  })

  return (
    <Shell
      title="Rapport"
      isWide
      {...(!mayEdit && { above: `For ${user.name}`, aboveHref: urls.user(user.id) })}
      {...(mayLock && {
        above: user.name,
        aboveHref: urls.user(user.id),
        crumbs: [
          { text: 'Personer', href: urls.users },
          { text: user.name, href: urls.user(user.id) },
        ],
      })}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <LinkButton kind="secondary" href={urls.reportFile(user.id)} icon={Download} download>
            Hent som Excel
          </LinkButton>
          <Button type="button" kind="secondary" disabled={!isReady} onClick={() => print()}>
            <span className="flex items-center gap-2">
              <Printer size={16} strokeWidth={1.75} aria-hidden="true" />
              Udskriv
            </span>
          </Button>
        </div>
      }
    >
      {!mayLock && mayEdit && <p className="mb-2 hidden print:block">{user.name}</p>}
      <SheetProvider value={screen}>
        <div className="report grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="-mt-4 text-muted print:hidden">
            {mayLock || !mayEdit
              ? `Eksterne K/S-selskaber, som ${user.name} ejer en andel af. Beløb i hele kroner.`
              : 'Eksterne K/S-selskaber, du ejer en andel af. Beløb i hele kroner.'}
          </p>
          {mayEdit && (
            <noscript>
              <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
                Slå JavaScript til for at rette i rapporten.
              </p>
            </noscript>
          )}
          <FaultSummary trouble={saving.trouble} refusals={saving.refusals} />
          {saving.theirs && (
            <ConflictPanel key={saving.theirs.version} theirs={saving.theirs} onDecide={decide} />
          )}
          <div className="relative min-w-0">
            {mayEdit && (
              <a
                href={`#${ADD_ID}`}
                onClick={(event) => {
                  event.preventDefault()
                  focusAfterTable()
                }}
                className="sr-only z-30 rounded-control bg-accent text-on-accent focus:not-sr-only focus:px-4! focus:py-2! focus:absolute focus:-top-2 focus:left-0 print:hidden"
              >
                Spring over tabellen
              </a>
            )}
            <ReportTable {...(mayEdit && { onMove: drag })} />
          </div>
          {mayEdit && (
            <>
              <p className="text-meta text-muted pointer-coarse:hidden print:hidden">
                Celler kan sættes ind fra Excel. Tab og pile går til næste celle, Enter ned, Escape ud;
                Alt+pil flytter rækken, Ctrl+S gemmer.
              </p>
              <SaveBar isBusy={saving.isBusy} isFlashing={saving.isFlashing} onAdd={add} onSave={save} />
            </>
          )}
          <output className="sr-only">{saving.isFlashing ? 'Gemt' : announcement}</output>
        </div>
      </SheetProvider>
    </Shell>
  )
}
