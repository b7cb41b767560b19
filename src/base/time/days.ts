// Handles whole days like '2026-11-15', for date fields and calendars. Weeks begin on Monday: S9.7.

export const MONTHS = [
  'januar',
  'februar',
  'marts',
  'april',
  'maj',
  'juni',
  'juli',
  'august',
  'september',
  'oktober',
  'november',
  'december',
]

/** The months as the options of a list. */
export const MONTH_OPTIONS = MONTHS.map((text, index) => ({ value: String(index + 1), text }))

export const monthName = (month: number) => MONTHS[month - 1] ?? ''

const FIRST_DAY = '1800-01-01'
const LAST_DAY = '2199-12-31'

type Read = { day: string | null } | { fault: string }

/** Reads '15/11/2026', '15.11.2026', '15112026' and '2026-11-15' as the same day, and '' as no day. */
export function readDay(text: string): Read {
  const line = text.trim()
  if (line === '') return { day: null }
  const { day, month, year } = WAYS.map((way) => way.exec(line)?.groups).find(Boolean) ?? {}
  if (!day || !month || !year) return { fault: 'Skriv datoen som dd/mm/åååå.' }
  const found = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDay(found)) return { fault: `${writeDay(found)} findes ikke.` }
  return found < FIRST_DAY || found > LAST_DAY
    ? { fault: 'Skriv en dato fra 1800 til 2199.' }
    : { day: found }
}

const WAYS = [
  /^(?<day>\d\d?)(?<between>[/.-])(?<month>\d\d?)\k<between>(?<year>\d{4})$/,
  /^(?<day>\d\d)(?<month>\d\d)(?<year>\d{4})$/, // a phone's number pad has no slash
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
]

/** '2026-11-15' becomes '15/11/2026'. */
export const writeDay = (day: string) => day.split('-').toReversed().join('/')

function isDay(day: string): boolean {
  const date = noonOf(day)
  return !Number.isNaN(date.getTime()) && isoOf(date) === day
}

export const BACKWARDS = 'Slutdatoen ligger før startdatoen.'

export const isBackwards = ({ from, to }: { from: string | null; to: string | null }) =>
  from !== null && to !== null && from > to

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

const isoOf = (date: Date) => date.toISOString().slice(0, 10)

export function daysAfter(day: string, many: number): string {
  const noon = noonOf(day)
  noon.setUTCDate(noon.getUTCDate() + many)
  return isoOf(noon)
}

/** Returns the same day some months later, or the last day of a shorter month. */
export function monthsAfter(day: string, many: number): string {
  const [year, month, date] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year!, month! - 1 + many, 1, 12))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0, 12)).getUTCDate()
  first.setUTCDate(Math.min(date!, last))
  return isoOf(first)
}

/** Monday is 0. */
const weekdayOf = (day: string) => (noonOf(day).getUTCDay() + 6) % 7

/** Returns all weeks that have a day in the month of a given day. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`
  const weeks: string[][] = []
  for (let at = daysAfter(first, -weekdayOf(first)); at < monthsAfter(first, 1); at = daysAfter(at, 7)) {
    const monday = at
    weeks.push(Array.from({ length: 7 }, (_, index) => daysAfter(monday, index)))
  }
  return weeks
}

const STEPS: Record<string, (day: string, isYear: boolean) => string> = {
  ArrowLeft: (day) => daysAfter(day, -1),
  ArrowRight: (day) => daysAfter(day, 1),
  ArrowUp: (day) => daysAfter(day, -7),
  ArrowDown: (day) => daysAfter(day, 7),
  Home: (day) => daysAfter(day, -weekdayOf(day)),
  End: (day) => daysAfter(day, 6 - weekdayOf(day)),
  PageUp: (day, isYear) => monthsAfter(day, isYear ? -12 : -1),
  PageDown: (day, isYear) => monthsAfter(day, isYear ? 12 : 1),
}

/** Returns the day that a key leads to in a calendar, or null. With Shift, PageUp and PageDown move by a year. */
export function dayForKey(day: string, key: string, hasShift: boolean): string | null {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
  return step ? withinDays(step(day, hasShift)) : null
}

export function withinDays(day: string): string {
  if (day < FIRST_DAY) return FIRST_DAY
  return day > LAST_DAY ? LAST_DAY : day
}
