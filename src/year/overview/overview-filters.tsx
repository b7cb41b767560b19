import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Client } from '../../access/lent.ts'
import { formatCount } from '../../base/counts.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { FilterLinks } from '../../ui/list/filter-links.tsx'
import { urls } from '../../urls.ts'
import { writeOverviewQuery, type OverviewQuery } from './overview-address.ts'
import { STATUS_FILTERS, type Overview, type OverviewStatus } from './overview.ts'

type Props = {
  query: OverviewQuery
  year: number
  years: number[]
  overview: Overview
  /** The clients for whom an adviser looks. */
  clients: Client[]
  /** The office can filter by missing papers. */
  hasStatuses: boolean
}

/** The year, the folder and the status. Plain links and a form: each choice is an address. */
export function OverviewFilters(props: Props) {
  const {
    query,
    year,
    years,
    overview: { folders, counts },
    clients,
    hasStatuses,
  } = props
  const hrefOf = (change: Partial<OverviewQuery>) =>
    urls.overview + writeOverviewQuery({ ...query, page: FIRST_PAGE, ...change })
  const missing = counts.missing + counts.late
  const many = { ...counts, missing, complete: 0 }
  const statuses = Object.entries(STATUS_FILTERS).map(([status, text]) => {
    const count = query.status === null ? many[status as OverviewStatus] : 0
    return [status, count > 0 ? `${text} (${formatCount(count)})` : text]
  })
  return (
    <div className="grid gap-3 print:hidden">
      <form action={urls.overview} aria-label="Filtre" className="flex flex-wrap items-end gap-3">
        <div className="flex items-end gap-1">
          <IconButton label={`Til ${year - 1}`} href={hrefOf({ year: year - 1 })} icon={ChevronLeft} />
          <Choice name="year" label="År" value={String(year)} key={`year ${year}`}>
            {(years.includes(year) ? years : [...years, year].sort((a, b) => b - a)).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Choice>
          <IconButton label={`Til ${year + 1}`} href={hrefOf({ year: year + 1 })} icon={ChevronRight} />
        </div>
        <div className="min-w-48 max-sm:flex-1">
          <Choice name="folder" label="Mappe" value={query.folder ?? ''} key={`folder ${query.folder}`}>
            <option value="">Alle mapper</option>
            {(query.folder === null || folders.includes(query.folder)
              ? folders
              : [query.folder, ...folders]
            ).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Choice>
        </div>
        {clients.length > 1 && (
          <div className="min-w-48 max-sm:flex-1">
            <Choice
              name="client"
              label="Klient"
              value={String(query.client ?? '')}
              key={`client ${query.client}`}
            >
              <option value="">Alle klienter</option>
              {clients.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Choice>
          </div>
        )}
        {query.status !== null && <input type="hidden" name="status" value={query.status} />}
        <Button type="submit" kind="secondary">
          Vis
        </Button>
      </form>
      {hasStatuses && (
        <FilterLinks
          filters={Object.fromEntries(statuses) as Record<string, string>}
          now={query.status}
          hrefOf={(status) => hrefOf({ status: status as OverviewStatus | null })}
          onFilter={(status) => location.assign(hrefOf({ status: status as OverviewStatus | null }))}
        />
      )}
    </div>
  )
}

type ChoiceProps = { name: string; label: string; value: string; children: ReactNode }

function Choice({ name, label, value, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select id={id} name={name} defaultValue={value} className={`${INPUT_LOOK} pl-2`}>
        {children}
      </select>
    </div>
  )
}
