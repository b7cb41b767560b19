import { between } from '../venture/chance.ts'

const MONTH_NAMES = 'januar februar marts april maj juni juli august september oktober november december'
export const MONTHS = MONTH_NAMES.split(' ')

/** Returns a date, or the next Monday if it is on a weekend. */
export function at(year: number, month: number, day: number, hour = 10, minute = 0, second = 0): Date {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const weekday = date.getUTCDay()
  if (weekday === 6) date.setUTCDate(date.getUTCDate() + 2)
  if (weekday === 0) date.setUTCDate(date.getUTCDate() + 1)
  return date
}

/** Returns a Tuesday: it is never a holiday in the months of board and general meetings. */
export function tuesday(year: number, month: number, week: number): Date {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return at(year, month, 1 + ((9 - first) % 7) + (week - 1) * 7)
}

export function daysBefore(date: Date, days: number): Date {
  return at(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate() - days)
}

/** Returns a time within some days of a date, between 8 and 16 o'clock in Denmark, summer and winter. */
export function uploadedAt(date: Date, seed: string): Date {
  const part = (least: number, most: number, what: string) => between(least, most, `${what} ${seed}`)
  return at(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate() + part(0, 4, 'day'),
    part(7, 13, 'hour'),
    part(0, 59, 'minute'),
    part(0, 59, 'second'),
  )
}

/** '14. maj 2024'. */
export function danish(date: Date): string {
  return `${date.getUTCDate()}. ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Returns the years from newest to oldest, both included. */
export function yearsDown(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => from - index)
}
