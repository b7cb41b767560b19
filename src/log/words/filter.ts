import { readDay } from '../../base/time/days.ts'
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
  const errors: Record<string, string[]> = {}
  for (const name of new Set(address.keys()))
    if (!Object.hasOwn(WHOLE_LOG, name)) errors[name] = ['Det filter kender loggen ikke.']
    else if (address.getAll(name).length > 1) errors[name] = ['Filteret må kun stå der én gang.']

  const textOf = (name: string) => (name in errors ? '' : (address.get(name) ?? ''))

  function read<Value>(name: string, fault: string, valueOf: (text: string) => Value | null): Value | null {
    const text = textOf(name)
    if (text === '') return null
    const value = valueOf(text)
    if (value === null) errors[name] = [fault]
    return value
  }

  const id = (name: string) => read(name, 'Filteret skal være et id.', wholeNumber)
  function day(name: string): string | null {
    const found = readDay(textOf(name))
    if ('day' in found) return found.day
    errors[name] = [found.fault]
    return null
  }
  const isNamed = address.get('period') !== OWN_DAYS
  const query: LogQuery = {
    person: id('person'),
    project: id('project'),
    file: id('file'),
    act: read('act', 'Den handling kender loggen ikke.', among(ACTS)),
    period: isNamed ? read('period', 'Den periode kender loggen ikke.', among(PERIODS)) : null,
    from: day('from'),
    to: day('to'),
    page: read('page', 'Siden skal være et helt tal fra 1.', wholeNumber) ?? FIRST_PAGE,
  }
  const hasDays = query.from !== null || query.to !== null
  if (query.period !== null && hasDays) errors.period = ['Vælg enten en periode eller egne datoer.']
  const isTurned = isBackwards(query)
  if (isTurned) errors.to = [BACKWARDS]
  return { errors, query: query.period !== null || isTurned ? { ...query, from: null, to: null } : query }
}

export const BACKWARDS = 'Slutdatoen ligger før startdatoen.'

export const isBackwards = ({ from, to }: Days) => from !== null && to !== null && from > to

/** Writes `?person=7&period=week`: only the filters that are set; '' for the whole log. */
export function writeLogQuery(query: LogQuery): string {
  const pairs = Object.entries(query)
    .filter(([name, value]) => value !== WHOLE_LOG[name as keyof LogQuery])
    .map(([name, value]) => `${name}=${value}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function wholeNumber(text: string): number | null {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}

const among =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | null =>
    values.find((value) => value === text) ?? null
