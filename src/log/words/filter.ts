import { FilterReader, wholeNumber, writeFilters } from '../../base/filter-address.ts'
import { BACKWARDS, isBackwards, readDay } from '../../base/time/days.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { ACTS, type Act } from './act.ts'
import { PERIODS, type Days, type Period } from './named-period.ts'

/** The log's filters. `person` is the one who acted or the one it was about. Either a named period or two dates count. */
export type LogFilter = Days & {
  person: number | null
  project: number | null
  file: number | null
  act: Act | null
  period: Period | null
}

export type LogQuery = LogFilter & { page: number }

export const WHOLE_LOG: LogQuery = {
  person: null,
  project: null,
  file: null,
  act: null,
  period: null,
  from: null,
  to: null,
  page: FIRST_PAGE,
}

/** The texts sent as dates, if they cannot be used. */
export type SentDays = { from?: string; to?: string }

export function sentDays(address: URLSearchParams, { errors }: Pick<Reading, 'errors'>): SentDays {
  if (!errors.from && !errors.to) return {}
  return Object.fromEntries(
    ['from', 'to'].flatMap((name) => {
      const text = address.get(name) ?? ''
      return text === '' ? [] : [[name, text.slice(0, 40)]]
    }),
  )
}

/** The form's value of `period` when two dates count. */
export const OWN_DAYS = 'dates'

type Reading = { query: LogQuery; errors: Record<string, string[]> }

/** Reads the filters from an address, with their faults. Ignores a wrong filter. */
export function readLogQuery(address: URLSearchParams): Reading {
  const filters = new FilterReader(address, WHOLE_LOG, 'Det filter kender loggen ikke.')
  const { errors } = filters
  function day(name: string): string | null {
    const found = readDay(filters.textOf(name))
    if ('day' in found) return found.day
    errors[name] = [found.fault]
    return null
  }
  const isNamed = address.get('period') !== OWN_DAYS
  const query: LogQuery = {
    person: filters.id('person'),
    project: filters.id('project'),
    file: filters.id('file'),
    act: filters.read('act', 'Den handling kender loggen ikke.', among(ACTS)),
    period: isNamed ? filters.read('period', 'Den periode kender loggen ikke.', among(PERIODS)) : null,
    from: day('from'),
    to: day('to'),
    page: filters.read('page', 'Siden skal være et helt tal fra 1.', wholeNumber) ?? FIRST_PAGE,
  }
  const hasDays = query.from !== null || query.to !== null
  if (query.period !== null && hasDays) errors.period = ['Vælg enten en periode eller egne datoer.']
  const isTurned = isBackwards(query)
  if (isTurned) errors.to = [BACKWARDS]
  return { errors, query: query.period !== null || isTurned ? { ...query, from: null, to: null } : query }
}

/** Writes `?person=7&period=week`: only the filters that are set; '' for the whole log. */
export const writeLogQuery = (query: LogQuery) => writeFilters(query, WHOLE_LOG)

const among =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | null =>
    values.find((value) => value === text) ?? null
