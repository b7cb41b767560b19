import { CalendarPlus, Info } from 'lucide-react'
import { formatCount } from '../../base/danish/counts.ts'
import type { Page } from '../../base/pagination.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { urls } from '../../urls.ts'
import { NO_ADVICE } from '../obligations/duty-mail.ts'
import { STATE_NAMES, type DutyState } from '../obligations/duty-state.ts'
import { countOpen, writeDutyQuery, type Duty, type DutyQuery } from '../obligations/duty.ts'
import type { YearChoices } from '../obligations/year-filters.tsx'
import { NothingInYear, YearFrame } from '../obligations/year-frame.tsx'
import { Misfits } from '../receipts/duty-receipts.tsx'
import type { Receipt } from '../receipts/receipt.ts'
import { DutyRow } from './duty-row.tsx'
import { EventForm, GiveAllForm } from './list-forms.tsx'

type DutiesPageProps = {
  query: DutyQuery
  choices: YearChoices
  page: Page<Duty>
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
  coming: 'Intet kommer senere',
  draft: 'Ingen kladder',
  excused: 'Intet er undtaget',
  unfollowed: 'Alt er fulgt',
  done: 'Intet er udført endnu',
}

/** Lists what has to be done, by its last day. */
export function DutiesPage(props: DutiesPageProps) {
  const { query, page, choices, events } = props
  const open = countOpen(query, choices.counts)
  const hrefOf = (number: number) => urls.yearList + writeDutyQuery({ ...query, page: number })
  return (
    <YearFrame
      view={urls.yearList}
      query={query}
      choices={choices}
      {...(page.data.length > 0 && { sheet: urls.yearListSheet })}
      actions={
        <LinkButton kind="secondary" href={urls.ownCalendar} icon={CalendarPlus}>
          I din kalender
        </LinkButton>
      }
    >
      <p className="flex gap-2 text-meta text-muted">
        <Info size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {NO_ADVICE}
      </p>
      <Misfits receipts={props.misfits} />
      <div className="grid items-start gap-4 md:grid-cols-2 print:hidden">
        <EventForm events={events} />
        {open > 0 && <GiveAllForm query={query} total={open} people={choices.people} />}
      </div>
      {page.data.length === 0 ? (
        <NothingInYear view={urls.yearList} query={query} text={NONE[query.state]} />
      ) : (
        <>
          <Sections {...props} />
          <p className="text-meta text-muted tabular-nums">
            Viser {formatCount(page.data.length)} af {formatCount(page.meta.total)} resultater
          </p>
        </>
      )}
      <Pager info={page.meta} hrefOf={hrefOf} onTurn={(number) => location.assign(hrefOf(number))} />
    </YearFrame>
  )
}

/** The rows, under a heading for each state. */
function Sections({ query, page, choices, today, receipts, refused }: DutiesPageProps) {
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
            people={choices.people}
            today={today}
            receipts={receipts.filter((receipt) => receipt.duty === duty.id)}
            refused={refused?.duty === duty.id ? refused : undefined}
          />
        ))}
      </ul>
    </section>
  ))
}
