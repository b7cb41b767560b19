import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../base/counts.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { FilterChoice } from '../../ui/list/filter-choice.tsx'
import { FilterForm } from '../../ui/list/filter-form.tsx'
import { FilterLinks } from '../../ui/list/filter-links.tsx'
import { urls } from '../../urls.ts'
import { writeOverviewQuery, type OverviewQuery } from './overview-address.ts'
import { STATUS_FILTERS, type Overview, type OverviewStatus } from './overview.ts'

type Props = {
  query: OverviewQuery
  year: number
  years: number[]
  overview: Overview
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
    hasStatuses,
  } = props
  const hrefOf = (change: Partial<OverviewQuery>) =>
    urls.overview + writeOverviewQuery({ ...query, page: FIRST_PAGE, all: false, ...change })
  const many = { ...counts, complete: 0 }
  const statuses = Object.entries(STATUS_FILTERS).map(([status, text]) => {
    const count = query.status === null ? many[status as OverviewStatus] : 0
    return [status, count > 0 ? `${text} (${formatCount(count)})` : text]
  })
  return (
    <div className="grid gap-3 print:hidden">
      <FilterForm action={urls.overview} className="flex flex-wrap items-end gap-3">
        <div className="flex items-end gap-1">
          <IconButton label={`Til ${year - 1}`} href={hrefOf({ year: year - 1 })} icon={ChevronLeft} />
          <FilterChoice name="year" label="År" value={year}>
            {(years.includes(year) ? years : [...years, year].sort((a, b) => b - a)).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </FilterChoice>
          <IconButton label={`Til ${year + 1}`} href={hrefOf({ year: year + 1 })} icon={ChevronRight} />
        </div>
        <div className="min-w-48 max-sm:flex-1 sm:max-w-72">
          <FilterChoice name="folder" label="Mappe" value={query.folder}>
            <option value="">Alle mapper</option>
            {(query.folder === null || folders.includes(query.folder)
              ? folders
              : [query.folder, ...folders]
            ).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </FilterChoice>
        </div>
        {query.status !== null && <input type="hidden" name="status" value={query.status} />}
      </FilterForm>
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
