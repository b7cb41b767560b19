import { CircleCheck, Download, TriangleAlert } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { HeldCard } from '../../releases/held/held-card.tsx'
import type { HeldPapers } from '../../releases/held/held.ts'
import { AskedForm } from '../../ui/form/asked-form.tsx'
import { MailingNotes } from '../../releases/mailings/mailing-notes.tsx'
import { isWaiting, regretText, type MailLeaving } from '../../releases/mailings/mailing.ts'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { MOST_ROWS, MOST_SHEET_BYTES } from './read/checked-sheet.ts'
import { Following } from './following.tsx'
import { countRows, countsText, type Invitations, type SheetImport, type WaitingSheet } from './import.ts'
import { SheetField } from './sheet-field.tsx'

type ImportPageProps = {
  waiting: WaitingSheet | null
  imports: SheetImport[]
  /** Papers from a directory tree that are not read yet, or contradict their place. */
  held: HeldPapers
  /** How many projects there are. */
  projects: number
  /** The office's day. */
  today: string
  /** Whether invitations can be sent by mail. */
  sendsMail: boolean
  /** How long they can be cancelled. */
  leaving: MailLeaving
  faults?: string[]
  refusedUndo?: { id: number; obstacles: string[] }
}

const NO_FAULTS: string[] = []

/** Moves projects and people in from a sheet, in three steps. */
export function ImportPage({
  waiting,
  imports,
  held,
  projects,
  today,
  sendsMail,
  leaving,
  faults = NO_FAULTS,
  refusedUndo,
}: ImportPageProps) {
  useProgress(imports)
  return (
    <Shell title="Flyt ind">
      <p className="-mt-4 mb-6 max-w-[720px] text-muted">
        Projekter og personer fra et regneark. Intet bliver gemt, og ingen inviteret, før du beder om det.
      </p>
      {held.reading + held.total > 0 && (
        <div className="mb-6 max-w-[720px]">
          <HeldCard held={held} />
        </div>
      )}
      <ol className="grid max-w-[720px] gap-4">
        <Step number={1} title="Hent arket">
          <p className="text-muted">Eller brug dit eget regneark: Kolonnerne kendes på deres navne.</p>
          <div>
            <LinkButton kind="secondary" href={urls.givenSheet} icon={Download} download>
              Hent arket
            </LinkButton>
          </div>
        </Step>
        <Step number={2} title="Udfyld og upload arket">
          <SheetField faults={faults} />
          <p className="text-meta text-muted">
            Excel (.xlsx) eller CSV på højst {formatBytes(MOST_SHEET_BYTES)} og {formatCount(MOST_ROWS)}{' '}
            rækker.
          </p>
        </Step>
        <Step number={3} title="Se, hvad der sker, og flyt ind">
          {waiting ? (
            <Waiting sheet={waiting} />
          ) : (
            <p className="text-muted">Du ser det her, når arket er uploadet.</p>
          )}
        </Step>
      </ol>
      <h2 className="mt-8 mb-3 text-section font-semibold">Flyttet ind</h2>
      <div className="max-w-[720px] rounded-card border border-line bg-surface">
        {imports.length === 0 ? (
          <EmptyState text="Ingen ark endnu" />
        ) : (
          <ul className="divide-y divide-line">
            {imports.map((each) => (
              <Done
                key={each.id}
                done={each}
                {...{ sendsMail, leaving }}
                obstacles={refusedUndo?.id === each.id ? refusedUndo.obstacles : []}
              />
            ))}
          </ul>
        )}
      </div>
      {projects > 0 && <Following {...{ projects, today }} />}
    </Shell>
  )
}

/** How often the page fetches the progress of the invitations. */
const EVERY_MS = 3000

const isUnderWay = ({ asked, sent, failed }: Invitations) => sent + failed < asked

function useProgress(imports: readonly SheetImport[]): void {
  const hasMore = imports.some(({ invitations }) => isUnderWay(invitations))
  useEffect(() => {
    if (!hasMore) return undefined
    const timer = setInterval(() => void refreshPage({ newest: (fetchIt) => fetchIt() }), EVERY_MS)
    return () => clearInterval(timer)
  }, [hasMore])
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 className="mb-3 flex items-center gap-3 text-section font-semibold">
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-accent tabular-nums"
        >
          {number}
        </span>
        {title}
      </h2>
      <div className="grid gap-3">{children}</div>
    </li>
  )
}

function Waiting({ sheet }: { sheet: WaitingSheet }) {
  const { id, name, created_at: at, counts, faults } = sheet
  const isUseless = faults.length > 0 || (counts.wrong > 0 && counts.new + counts.changed === 0)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <span className="font-medium">{name}</span>{' '}
        <span className="text-muted">
          fra <ShortDate at={at} withTime="spoken" />:{' '}
          {isUseless
            ? `${formatCount(counts.wrong + faults.length)} ting skal rettes`
            : countsText(counts) +
              (counts.wrong > 0
                ? `, og ${countRows(counts.wrong)} er ${counts.wrong === 1 ? 'forkert' : 'forkerte'}`
                : '')}
        </span>
      </p>
      <LinkButton href={urls.sheet(id)}>Se forhåndsvisningen</LinkButton>
    </div>
  )
}

type DoneProps = { done: SheetImport; sendsMail: boolean; leaving: MailLeaving; obstacles: string[] }

function Done({ done, sendsMail, leaving, obstacles }: DoneProps) {
  const { id, name, made_at: at, made_by: by, counts, undone_at: undoneAt, undone_by: undoneBy } = done
  return (
    <li className="grid gap-3 px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium wrap-anywhere">
            {name} <span className="font-normal text-muted">(ark nr. {id})</span>
          </p>
          <p className={undoneAt === null ? '' : 'text-muted line-through'}>{sentence(countsText(counts))}</p>
          <p className="text-meta text-muted">
            <ShortDate at={at} withTime /> · {by}
          </p>
          {counts.wrong > 0 && (
            <p>
              {`${countRows(counts.wrong)} kom ikke med. `}
              {done.hasRest && (
                <a href={urls.importRest(id)} download>
                  Hent dem som et ark
                </a>
              )}
            </p>
          )}
          {undoneAt !== null && (
            <p className="text-meta text-muted">
              Fortrudt <ShortDate at={undoneAt} withTime /> · {undoneBy}
            </p>
          )}
        </div>
        {undoneAt === null && done.isOpen && (
          <AskedForm
            name={`undo-import-${id}`}
            action={urls.undoImport(id)}
            submit="Fortryd importen"
            kind="secondary"
            className="max-w-full"
            title="Fortryd importen?"
            text={`Alt, hvad ${name} oprettede og ændrede, bliver taget tilbage: ${countsText(counts)}. Er der sket andet siden, bliver intet ændret.`}
            loadingText="Fortryder…"
            doneText="Importen er fortrudt."
          />
        )}
      </div>
      {obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
      {undoneAt === null && <Inviting done={done} {...{ sendsMail, leaving }} />}
      <MailingNotes mailings={done.mailings} sendsMail={sendsMail} regret={urls.cancelInvitations(id)} />
    </li>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Obstacles({ obstacles }: { obstacles: string[] }) {
  return (
    <div role="alert" className="rounded-control bg-warn-soft px-3 py-2 text-warn">
      <p className="flex gap-2 font-medium">
        <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        Importen kan ikke fortrydes, for noget er sket siden. Intet er ændret.
      </p>
      <ul className="mt-1 list-disc pl-10 wrap-anywhere">
        {obstacles.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

type InvitingProps = { done: SheetImport; sendsMail: boolean; leaving: MailLeaving }

function Inviting({ done: { id, invitations, mailings }, sendsMail, leaving }: InvitingProps) {
  const { open, asked, sent, failed } = invitations
  return (
    <>
      {asked > 0 && isUnderWay(invitations) && (
        <ProgressBar
          label={`Invitationer: ${formatCount(sent)} af ${formatCount(asked)} sendt`}
          value={sent / asked}
        />
      )}
      {asked > 0 && !isUnderWay(invitations) && (
        <p className="flex gap-2 text-muted">
          <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ok" />
          {`${formatCount(sent)} af ${formatCount(asked)} ${asked === 1 ? 'invitation' : 'invitationer'} sendt`}
        </p>
      )}
      {failed > 0 && (
        <p className="flex gap-2 text-warn">
          <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          {`${formatCount(failed)} kunne ikke sendes. Kontroller e-mailen på personens side.`}
        </p>
      )}
      {open > 0 &&
        !mailings.some(isWaiting) &&
        (sendsMail ? (
          <AskedForm
            name={`invite-imported-${id}`}
            action={urls.inviteImported(id)}
            submit={`Inviter ${formatCount(open)} ${open === 1 ? 'person' : 'personer'}`}
            kind="secondary"
            title={`Inviter ${formatCount(open)} ${open === 1 ? 'person' : 'personer'}?`}
            text={`${open === 1 ? 'Personen' : 'Hver af dem'} får en mail med et link til at vælge en adgangskode. ${regretText(leaving)}`}
            loadingText="Inviterer…"
          />
        ) : (
          <p className="text-meta text-muted">
            {`${formatCount(open)} ${open === 1 ? 'person er' : 'personer er'} ikke inviteret. Uden mailserver inviterer du hver for sig under Personer.`}
          </p>
        ))}
    </>
  )
}
