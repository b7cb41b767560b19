import { writeFilters } from '../../base/filter-address.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { cleanLine, isReadable } from '../../base/text.ts'
import { STATUSES, type OverviewStatus } from './overview.ts'

/** The query of the overview. Without a year, the last one that has ended everywhere. */
export type OverviewQuery = {
  year: number | null
  folder: string | null
  status: OverviewStatus | null
  /** For an adviser: the only person whose papers are shown. */
  client: number | null
  page: number
  /** All rows on one page, to print. */
  all: boolean
}

export const WHOLE_OVERVIEW: OverviewQuery = {
  year: null,
  folder: null,
  status: null,
  client: null,
  page: FIRST_PAGE,
  all: false,
}

const MOST_LETTERS = 200

/** Reads an overview from an address. Ignores the parts that are wrong. */
export function readOverviewQuery(address: URLSearchParams): OverviewQuery {
  const [year, folder, client, page] = ['year', 'folder', 'client', 'page'].map(
    (name) => address.get(name) ?? '',
  ) as [string, string, string, string]
  return {
    year: /^(?:1[89]|2[01])\d\d$/.test(year) ? Number(year) : null,
    folder: folder.length <= MOST_LETTERS && isReadable(folder) ? cleanLine(folder) || null : null,
    status: STATUSES.find((each) => each === address.get('status')) ?? null,
    client: /^[1-9]\d{0,14}$/.test(client) ? Number(client) : null,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : FIRST_PAGE,
    all: address.get('all') === 'true',
  }
}

/** Writes `?year=2025&status=late`: only set values; '' for the default overview. */
export const writeOverviewQuery = (query: OverviewQuery) => writeFilters(query, WHOLE_OVERVIEW)

/** The last year that has ended for everybody: a period belongs to the year in which its accounting year ends. */
export const usualYear = (today: string) => Number(today.slice(0, 4)) - 1
