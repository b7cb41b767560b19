import { writeFilters } from '../../base/filter-address.ts'
import { daysAfter, writeDay } from '../../base/time/days.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { periodText, readPeriod } from '../../base/time/period.ts'

/** A duty as the office sees it. Days are like '2026-11-15'. */
export type Duty = {
  id: number
  title: string
  explanation: string
  source: string
  source_url: string
  project: { id: number; number: string; name: string }
  /** '2025', '2025-Q3'; the day of an event, '2026-03-14'. */
  period: string
  starts_on: string
  ends_on: string
  due_on: string
  /** The folder whose paper fulfils it. */
  folder: { id: number; name: string } | null
  /** Filed with an authority: no paper ends it. */
  is_filing: boolean
  responsible: { id: number; name: string; is_active: boolean } | null
  done: { at: string; by: string | null; note: string; is_by_paper: boolean } | null
}

/** The filters: everything open, a part of it, or done. */
export const DUTY_STATES = ['open', 'late', 'month', 'later', 'done'] as const
export type DutyState = (typeof DUTY_STATES)[number]

export const STATE_NAMES: Record<DutyState, string> = {
  open: 'Alle åbne',
  late: 'Forsinket',
  month: 'Denne måned',
  later: 'Senere',
  done: 'Udført',
}

/** How much there is of each kind, under the other filters. */
export type DutyCounts = Record<Exclude<DutyState, 'open'>, number> & {
  /** The open duties that the query finds, which somebody can be made responsible for. */
  given: number
  /** Open ones that nobody active is responsible for, under no filter. */
  nobody: number
}

export type DutyQuery = {
  state: DutyState
  /** `none`: nobody active is responsible. */
  person: number | 'none' | null
  /** `papers`: papers that no duty asks for. */
  obligation: number | 'papers' | null
  /** Part of a project's number or name. */
  q: string
  page: number
}

export const ALL_DUTIES: DutyQuery = {
  state: 'open',
  person: null,
  obligation: null,
  q: '',
  page: FIRST_PAGE,
}

/** Whether a query finds all open duties of one person, or of nobody. */
export const isOfOnePerson = ({ state, person, obligation, q }: DutyQuery) =>
  state === 'open' && person !== null && obligation === null && q === ''

const MOST_LETTERS = 100

/** Reads the filters of an address. What is wrong is left out. */
export function readDutyQuery(address: URLSearchParams): DutyQuery {
  const text = (name: string) => (address.get(name) ?? '').slice(0, MOST_LETTERS)
  const [person, obligation] = [text('person'), text('obligation')]
  return {
    state: DUTY_STATES.find((state) => state === text('state')) ?? ALL_DUTIES.state,
    person: person === 'none' ? 'none' : wholeNumber(person),
    obligation: obligation === 'papers' ? 'papers' : wholeNumber(obligation),
    q: text('q').toWellFormed().trim(),
    page: wholeNumber(text('page')) ?? FIRST_PAGE,
  }
}

/** Writes `?state=late&person=7`: only what differs from the default. */
export const writeDutyQuery = (query: DutyQuery) => writeFilters(query, ALL_DUTIES)

const wholeNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** The last day of the month that a day lies in. */
export function monthEnd(day: string): string {
  const next = day.slice(5, 7) === '12' ? `${Number(day.slice(0, 4)) + 1}-01-01` : null
  return daysAfter(next ?? `${day.slice(0, 5)}${String(Number(day.slice(5, 7)) + 1).padStart(2, '0')}-01`, -1)
}

/** Whether an open duty is late, due this month, or later. A duty is not late on its last day. */
export function stateOf(dueOn: string, today: string): 'late' | 'month' | 'later' {
  if (dueOn < today) return 'late'
  return dueOn <= monthEnd(today) ? 'month' : 'later'
}

/** 'Forsinket 1 dag', 'I dag', 'I morgen', 'Om 12 dage'. */
export function distanceText(dueOn: string, today: string): string {
  const days = daysBetween(today, dueOn)
  if (days < 0) return `Forsinket ${-days} ${days === -1 ? 'dag' : 'dage'}`
  if (days === 0) return 'I dag'
  return days === 1 ? 'I morgen' : `Om ${days} dage`
}

export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000)

/** Whether a duty comes from something that the office said has happened. */
export const isOfEvent = ({ period }: Pick<Duty, 'period'>) => period.length === 10

/** 'Årsrapport 2024/25', 'Legale ejere registreret 14/03/2026'. */
export function dutyTitle({
  title,
  period,
  starts_on: from,
  ends_on: to,
}: Pick<Duty, 'title' | 'period' | 'starts_on' | 'ends_on'>): string {
  if (isOfEvent({ period })) return `${title} ${writeDay(period)}`
  const read = readPeriod(period)
  return read ? `${title} ${periodText(read, from.slice(0, 4) !== to.slice(0, 4))}` : title
}

export const MOST_IN_NOTE = 500
