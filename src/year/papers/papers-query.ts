import { writeFilters } from '../../base/filter-address.ts'
import { readListQuery } from '../../base/list-query.ts'

/** The query of *Papirer*. */
export type PapersQuery = {
  q: string
  /** Papers without a period have no year. */
  year: number | 'none' | null
  /** A project, or the files of one's own. */
  project: number | 'own' | null
  /** For an adviser: the only person whose papers are shown. */
  client: number | null
  /** Of one year: the papers after this one. */
  after: string | null
}

export const ALL_PAPERS: PapersQuery = { q: '', year: null, project: null, client: null, after: null }

/** Reads a query from an address. Ignores the parts that are wrong. */
export function readPapersQuery(address: URLSearchParams): PapersQuery {
  const [year, project, client, after] = ['year', 'project', 'client', 'after'].map(
    (name) => address.get(name) ?? '',
  ) as [string, string, string, string]
  const asked = /^(?:1[89]|2[01])\d\d$/.test(year) ? Number(year) : year === 'none' ? year : null
  return {
    q: readListQuery(address, []).query.q,
    year: asked,
    project: project === 'own' ? project : idIn(project),
    client: idIn(client),
    after: asked !== null && /^\d{1,16}\.\d{1,15}$/.test(after) ? after : null,
  }
}

const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** Writes `?q=skat&year=2025`: only set values; '' for all papers. */
export const writePapersQuery = (query: PapersQuery) => writeFilters(query, ALL_PAPERS)
