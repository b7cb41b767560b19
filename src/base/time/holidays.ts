import { daysAfter } from './days.ts'

// Danish days off by rule. Days are like '2026-04-06'.

/** Fixed days on which offices and authorities are closed, by '12-24'. */
const FIXED: Record<string, string> = {
  '01-01': 'nytårsdag',
  '06-05': 'grundlovsdag',
  '12-24': 'juleaftensdag',
  '12-25': 'juledag',
  '12-26': '2. juledag',
  '12-31': 'nytårsaftensdag',
}

/** Days that move with Easter Sunday, by how many days they lie after it. */
const MOVING: { after: number; name: string; until?: number }[] = [
  { after: -3, name: 'skærtorsdag' },
  { after: -2, name: 'langfredag' },
  { after: 0, name: 'påskedag' },
  { after: 1, name: '2. påskedag' },
  { after: 26, name: 'store bededag', until: 2023 }, // abolished from 2024
  { after: 39, name: 'Kristi himmelfartsdag' },
  { after: 49, name: 'pinsedag' },
  { after: 50, name: '2. pinsedag' },
]

const WEEKDAYS = ['søndag', 'mandag', 'tirsdag', 'onsdag', 'torsdag', 'fredag', 'lørdag']

/** 'tirsdag'. */
const weekdayName = (day: string) => WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()]!

/** Returns the name of a Danish holiday, or null. */
export function holidayName(day: string): string | null {
  const year = Number(day.slice(0, 4))
  const easter = easterOf(year)
  const moving = MOVING.find(({ after, until = year }) => year <= until && daysAfter(easter, after) === day)
  return moving?.name ?? FIXED[day.slice(5)] ?? null
}

/** '2. påskedag', 'lørdag', or null for a day on which people work. */
export function dayOffName(day: string): string | null {
  const name = weekdayName(day)
  return holidayName(day) ?? (name === 'lørdag' || name === 'søndag' ? name : null)
}

/** Returns the first day after a day, or the day itself, on which people work. */
export function workdayFrom(day: string): string {
  let at = day
  while (dayOffName(at) !== null) at = daysAfter(at, 1)
  return at
}

/** 'tirsdag 30/06/2026', 'mandag 06/04/2026 (2. påskedag)', 'lørdag 28/02/2026': a holiday is named, and never moved. */
export function dayText(day: string): string {
  const date = day.split('-').toReversed().join('/')
  const [weekday, off] = [weekdayName(day), dayOffName(day)]
  return off === null || off === weekday ? `${weekday} ${date}` : `${weekday} ${date} (${off})`
}

/** Easter Sunday, by the Gregorian rule (Meeus, Jones and Butcher). */
function easterOf(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
