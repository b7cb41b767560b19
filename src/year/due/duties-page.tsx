import { CalendarPlus, Info, TriangleAlert } from 'lucide-react'
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
import type { Due } from './due.ts'
import { DutyRow } from './duty-row.tsx'
import { PaperRow } from './paper-row.tsx'
import {
  ALL_DUTIES,
  DUTY_STATES,
  STATE_NAMES,
  stateOf,
  writeDutyQuery,
  type DutyCounts,
  type DutyQuery,
  type DutyState,
} from '../obligations/duty.ts'

type DutiesPageProps = {
  query: DutyQuery
  page: Page<Due>
  counts: DutyCounts
  /** The people who can be made responsible for a duty. */
  people: { id: number; name: string }[]
  obligations: { id: number; title: string }[]
  /** Those that ask to be told what happens. */
  events: { id: number; title: string }[]
  /** The office's day. */
  today: string
  /** A duty's form that is shown again. */
  refused?: RefusedForm & { duty: number }
}

const NONE: Record<DutyState, string> = {
  open: 'Ingen åbne frister',
  late: 'Intet er forsinket',
  month: 'Ingen flere frister denne måned',
  later: 'Ingen frister senere',
  done: 'Ingen frister er udført endnu',
}

/** Lists what has a last day: duties, and papers that no duty asks for. */
export function DutiesPage(props: DutiesPageProps) {
  const { query, page, counts, people, obligations } = props
  const { user } = useFrame()
  const top = useRef<HTMLDivElement>(null)
  const hrefOf = (change: Partial<DutyQuery>) =>
    urls.obligations + writeDutyQuery({ ...query, page: FIRST_PAGE, ...change })
  const isFiltered = query.person !== null || query.obligation !== null || query.q !== ''
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
        {counts.nobody > 0 && query.person !== 'none' && <Nobody many={counts.nobody} />}
        <States query={query} counts={counts} hrefOf={hrefOf} />
        <DutyFilters query={query} people={people} obligations={obligations} />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <EventForm events={props.events} />
          {counts.given > 0 && <GiveAllForm query={query} total={counts.given} people={people} />}
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

function Nobody({ many }: { many: number }) {
  return (
    <p className="flex flex-wrap gap-x-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
      <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span>
        {many === 1 ? 'Én frist har' : `${formatCount(many)} frister har`} ingen ansvarlig, så ingen får
        besked.
      </span>
      <a
        href={urls.obligations + writeDutyQuery({ ...ALL_DUTIES, person: 'none' })}
        className="font-medium underline underline-offset-2"
      >
        Vis {many === 1 ? 'den' : 'dem'}
      </a>
    </p>
  )
}

type StatesProps = {
  query: DutyQuery
  counts: DutyCounts
  hrefOf: (change: Partial<DutyQuery>) => string
}

function States({ query, counts, hrefOf }: StatesProps) {
  const numbers = { ...counts, open: counts.late + counts.month + counts.later }
  return (
    <nav aria-label="Vis" className="flex flex-wrap gap-1 print:hidden">
      {DUTY_STATES.map((state) => (
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
function Sections({ query, page, people, today, refused }: DutiesPageProps) {
  const sections = Map.groupBy(page.data, (due) => {
    const { due_on: dueOn } = 'duty' in due ? due.duty : due.paper
    return 'duty' in due && due.duty.done !== null ? 'done' : stateOf(dueOn, today)
  })
  return [...sections].map(([state, rows]) => (
    <section key={state} aria-label={STATE_NAMES[state]}>
      {query.state === 'open' && (
        <h2 className={`mb-2 text-section font-semibold ${state === 'late' ? 'text-danger' : ''}`}>
          {STATE_NAMES[state]}
        </h2>
      )}
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {rows.map((due) =>
          'duty' in due ? (
            <DutyRow
              key={due.id}
              duty={due.duty}
              people={people}
              today={today}
              refused={refused?.duty === due.duty.id ? refused : undefined}
            />
          ) : (
            <PaperRow key={due.id} paper={due.paper} today={today} />
          ),
        )}
      </ul>
    </section>
  ))
}
