import { CalendarPlus, Info } from 'lucide-react'
import { useRef } from 'react'
import { formatCount } from '../../base/counts.ts'
import { FIRST_PAGE, type Page } from '../../base/pagination.ts'
import { may } from '../../rights.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { DutyFilters } from './duty-filters.tsx'
import { EventForm, GiveAllForm } from './list-forms.tsx'
import { NO_ADVICE } from '../obligations/duty-mail.ts'
import { DUTY_STATES, STATE_NAMES, type DutyState } from '../obligations/duty-state.ts'
import {
  ALL_DUTIES,
  countOpen,
  writeDutyQuery,
  type Duty,
  type DutyCounts,
  type DutyQuery,
} from '../obligations/duty.ts'
import { Misfits } from '../receipts/duty-receipts.tsx'
import type { Receipt } from '../receipts/receipt.ts'
import { DutyRow } from './duty-row.tsx'

type DutiesPageProps = {
  query: DutyQuery
  page: Page<Duty>
  counts: DutyCounts
  /** The people who can be made responsible for a duty. */
  people: { id: number; name: string }[]
  /** What duties can be called. */
  rules: string[]
  /** Those that ask to be told what happens. */
  events: { id: number; title: string }[]
  /** Of these duties. */
  receipts: Receipt[]
  /** Receipts that fit no open duty. */
  misfits: Receipt[]
  /** The office's day. */
  today: string
  /** A duty's form that is shown again. */
  refused?: RefusedForm & { duty: number }
}

const NONE: Record<DutyState | 'open', string> = {
  open: 'Ingen åbne frister',
  late: 'Intet er forsinket',
  missing: 'Intet mangler',
  coming: 'Ingen frister senere',
  draft: 'Ingen kladder',
  excused: 'Intet er undtaget',
  unfollowed: 'Alt er fulgt',
  done: 'Ingen frister er udført endnu',
}

/** Lists what has a last day, by that day. */
export function DutiesPage(props: DutiesPageProps) {
  const { query, page, counts, people, rules } = props
  const { user } = useFrame()
  const top = useRef<HTMLDivElement>(null)
  const hrefOf = (change: Partial<DutyQuery>) =>
    urls.obligations + writeDutyQuery({ ...query, page: FIRST_PAGE, ...change })
  const isFiltered = writeDutyQuery({ ...query, state: 'open', page: FIRST_PAGE }) !== ''
  const open = countOpen(query, counts)
  return (
    <Shell
      title="Frister"
      actions={
        <div className="flex flex-wrap gap-3">
          <LinkButton kind="secondary" href={urls.ownCalendar} icon={CalendarPlus}>
            I din kalender
          </LinkButton>
          {may(user!.role, 'editObligations') && (
            <LinkButton kind="secondary" href={urls.obligationRules}>
              Pligter
            </LinkButton>
          )}
        </div>
      }
    >
      <div ref={top} className="grid scroll-mt-4 gap-4">
        <p className="flex gap-2 text-meta text-muted">
          <Info size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          {NO_ADVICE}
        </p>
        <Misfits receipts={props.misfits} />
        <States query={query} counts={counts} hrefOf={hrefOf} />
        <DutyFilters query={query} people={people} rules={rules} />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <EventForm events={props.events} />
          {open > 0 && <GiveAllForm query={query} total={open} people={people} />}
        </div>
        {page.data.length === 0 ? (
          <div className="rounded-card border border-line bg-surface">
            <EmptyState text={isFiltered ? 'Intet fundet...' : NONE[query.state]}>
              {isFiltered && (
                <a
                  href={urls.obligations + writeDutyQuery({ ...ALL_DUTIES, state: query.state })}
                  className="text-accent underline underline-offset-2"
                >
                  Ryd filtre
                </a>
              )}
            </EmptyState>
          </div>
        ) : (
          <Sections {...props} />
        )}
        {page.data.length > 0 && (
          <p className="text-meta text-muted tabular-nums">
            Viser {formatCount(page.data.length)} af {formatCount(page.meta.total)} resultater
          </p>
        )}
        <Pager
          info={page.meta}
          hrefOf={(number) => hrefOf({ page: number })}
          onTurn={(number) => location.assign(hrefOf({ page: number }))}
        />
      </div>
    </Shell>
  )
}

type StatesProps = {
  query: DutyQuery
  counts: DutyCounts
  hrefOf: (change: Partial<DutyQuery>) => string
}

function States({ query, counts, hrefOf }: StatesProps) {
  const numbers = { ...counts, open: countOpen(ALL_DUTIES, counts) }
  return (
    <nav aria-label="Vis" className="flex flex-wrap gap-1 print:hidden">
      {(['open', ...DUTY_STATES] as const).map((state) => (
        <a
          key={state}
          href={hrefOf({ state })}
          aria-current={state === query.state ? 'page' : undefined}
          className="flex min-h-9 items-center rounded-control px-3 text-muted hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
        >
          {STATE_NAMES[state]} ({formatCount(numbers[state])})
        </a>
      ))}
    </nav>
  )
}

/** The rows, under a heading for each state. */
function Sections({ query, page, people, today, receipts, refused }: DutiesPageProps) {
  const sections = Map.groupBy(page.data, ({ state }) => state)
  return [...sections].map(([state, rows]) => (
    <section key={state} aria-label={STATE_NAMES[state]}>
      {query.state === 'open' && (
        <h2 className={`mb-2 text-section font-semibold ${state === 'late' ? 'text-danger' : ''}`}>
          {STATE_NAMES[state]}
        </h2>
      )}
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {rows.map((duty) => (
          <DutyRow
            key={duty.id}
            duty={duty}
            people={people}
            today={today}
            receipts={receipts.filter((receipt) => receipt.duty === duty.id)}
            refused={refused?.duty === duty.id ? refused : undefined}
          />
        ))}
      </ul>
    </section>
  ))
}
