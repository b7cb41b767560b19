import { SlidersHorizontal } from 'lucide-react'
import { formatCount } from '../../base/danish/counts.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { isOffice } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { FilterChoice } from '../../ui/list/filter-choice.tsx'
import { FilterForm } from '../../ui/list/filter-form.tsx'
import { DUTY_STATES, STATE_NAMES } from './duty-state.ts'
import {
  ALL_DUTIES,
  WITH_RECEIPT,
  countOpen,
  writeDutyQuery,
  type DutyCounts,
  type DutyQuery,
} from './duty.ts'

/** What the filters offer. */
export type YearChoices = {
  years: number[]
  /** What duties are called. */
  rules: string[]
  /** Who can be responsible. Empty for others than the office. */
  people: { id: number; name: string }[]
  /** How much there is of each state, under the other filters. */
  counts: DutyCounts
}

type Props = YearChoices & {
  /** The address of the view. */
  action: string
  query: DutyQuery
  /** The view shows one year. */
  hasOneYear: boolean
}

/** The filters of all views: each choice is an address. Outside the office there are only the year and the paper. They fold on a phone. */
export function YearFilters({ action, query, years, rules, people, counts, hasOneYear }: Props) {
  const { user } = useFrame()
  const isOurs = isOffice(user!.role)
  const chosen = [query.year, query.rule, query.person, query.q || null].filter(
    (each) => each !== null,
  ).length
  const withNow = <Value,>(all: Value[], now: Value | null) =>
    now === null || all.includes(now) ? all : [now, ...all]
  return (
    <>
      {isOurs && <States {...{ action, query, counts, hasOneYear }} />}
      <details className="folding-filters rounded-card border border-line bg-surface print:hidden">
        <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-medium">
          <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />
          Filtre{chosen > 0 && ` (${chosen})`}
        </summary>
        <FilterForm
          action={action}
          className="grid items-end gap-4 p-4 sm:grid-cols-2 lg:grid-cols-4"
          {...(isOurs && { search: { label: 'Projekt', q: query.q } })}
        >
          {query.state !== ALL_DUTIES.state && <input type="hidden" name="state" value={query.state} />}
          <FilterChoice name="year" label="År" value={query.year}>
            {!hasOneYear && <option value="">Alle år</option>}
            {withNow(years, query.year).map((year) => (
              <option key={year}>{year}</option>
            ))}
          </FilterChoice>
          <FilterChoice name="rule" label="Pligt eller papir" value={query.rule}>
            <option value="">Alle</option>
            {isOurs && <option value={WITH_RECEIPT}>Kvittering fundet</option>}
            {withNow(rules, query.rule === WITH_RECEIPT ? null : query.rule).map((rule) => (
              <option key={rule}>{rule}</option>
            ))}
          </FilterChoice>
          {isOurs && (
            <FilterChoice name="person" label="Ansvarlig" value={query.person}>
              <option value="">Alle</option>
              <option value={user!.id}>Mig ({user!.name})</option>
              {people
                .filter(({ id }) => id !== user!.id)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              <option value="none">Ingen ansvarlig</option>
            </FilterChoice>
          )}
        </FilterForm>
      </details>
    </>
  )
}

function States({ action, query, counts, hasOneYear }: Omit<Props, 'years' | 'rules' | 'people'>) {
  const numbers = { ...counts, open: countOpen(ALL_DUTIES, counts) }
  return (
    <nav aria-label="Vis" className="flex flex-wrap items-center gap-1 print:hidden">
      {hasOneYear && <span className="px-3 text-muted tabular-nums">I {query.year}:</span>}
      {(['open', ...DUTY_STATES] as const)
        .filter((state) => numbers[state] > 0 || ['open', 'late', 'done', query.state].includes(state))
        .map((state) => (
          <a
            key={state}
            href={action + writeDutyQuery({ ...query, state, page: FIRST_PAGE, all: false })}
            aria-current={state === query.state ? 'page' : undefined}
            className="flex min-h-9 items-center rounded-control px-3 text-muted hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
          >
            {STATE_NAMES[state]} ({formatCount(numbers[state])})
          </a>
        ))}
    </nav>
  )
}
