import { writeFilters } from '../../base/filter-address.ts'
import { daysAfter, writeDay } from '../../base/time/days.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { cleanLine } from '../../base/text.ts'
import { crossesNewYear, periodText, readPeriod } from '../../base/time/period.ts'
import { DUTY_STATES, OPEN_STATES, type DutyState } from './duty-state.ts'

/** A duty as the office sees it. Days are like '2026-11-15'. */
export type Duty = {
  id: number
  /** Null: the folder's own expectation asks for it. */
  obligation_id: number | null
  /** The obligation's; of an expectation the folder's name. */
  title: string
  state: DutyState
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
  /** Why it will not be done. */
  excused: { reason: string; by: string | null; at: string } | null
}

/** How much there is of each state, under the other filters. */
export type DutyCounts = Record<DutyState, number>

/** The filters of the year, in all its views. */
export type DutyQuery = {
  state: DutyState | 'open'
  /** The year of its period. */
  year: number | null
  /** The title of an obligation, or the name of a folder; `WITH_RECEIPT` for all that a receipt fits. */
  rule: string | null
  /** `none`: nobody active is responsible. */
  person: number | 'none' | null
  /** Part of a project's number or name. */
  q: string
  page: number
  /** All rows on one page, to print. */
  all: boolean
}

/** A slash: no folder has such a name. */
export const WITH_RECEIPT = '/receipt'

export const ALL_DUTIES: DutyQuery = {
  state: 'open',
  year: null,
  rule: null,
  person: null,
  q: '',
  page: FIRST_PAGE,
  all: false,
}

/** How many open duties a query finds, whose responsible can be changed. */
export const countOpen = ({ state }: Pick<DutyQuery, 'state'>, counts: DutyCounts) =>
  OPEN_STATES.reduce((sum, each) => sum + (state === 'open' || state === each ? counts[each] : 0), 0)

/** Whether a query finds all open duties of one person, or of nobody. */
export const isOfOnePerson = ({ state, year, person, rule, q }: DutyQuery) =>
  state === 'open' && person !== null && year === null && rule === null && q === ''

const MOST_LETTERS = 100

/** Reads the filters of an address. What is wrong is left out. */
export function readDutyQuery(address: URLSearchParams): DutyQuery {
  const text = (name: string) => (address.get(name) ?? '').slice(0, MOST_LETTERS)
  const [person, year] = [text('person'), text('year')]
  return {
    state: DUTY_STATES.find((state) => state === text('state')) ?? ALL_DUTIES.state,
    year: /^(?:1[89]|2[01])\d\d$/.test(year) ? Number(year) : null,
    rule: cleanLine(text('rule').toWellFormed()) || null,
    person: person === 'none' ? 'none' : wholeNumber(person),
    q: text('q').toWellFormed().trim(),
    page: wholeNumber(text('page')) ?? FIRST_PAGE,
    all: text('all') === 'true',
  }
}

/** Writes `?state=late&person=7`: only what differs from the default. */
export const writeDutyQuery = (query: DutyQuery) => writeFilters(query, ALL_DUTIES)

/** The last year that has ended for everybody: a period belongs to the year in which its accounting year ends. */
export const usualYear = (today: string) => Number(today.slice(0, 4)) - 1

const wholeNumber = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** The last day of the month that a day lies in. */
export function monthEnd(day: string): string {
  const next = day.slice(5, 7) === '12' ? `${Number(day.slice(0, 4)) + 1}-01-01` : null
  return daysAfter(next ?? `${day.slice(0, 5)}${String(Number(day.slice(5, 7)) + 1).padStart(2, '0')}-01`, -1)
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
export function dutyTitle({ title, ...duty }: Pick<Duty, 'title' | 'period' | 'starts_on'>): string {
  return `${title} ${dutyPeriod(duty)}`
}

/** '2024/25', '3. kvartal 2026'; the day of an event, '14/03/2026'. */
export function dutyPeriod({ period, starts_on: from }: Pick<Duty, 'period' | 'starts_on'>): string {
  const read = readPeriod(period)
  return read ? periodText(read, crossesNewYear(read, from)) : writeDay(period)
}

export const MOST_IN_NOTE = 500
export const MOST_IN_EXCUSE = 500
