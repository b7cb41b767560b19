import { dayOf, mondayOf } from '../../base/time/dates.ts'
import { daysAfter } from '../../base/time/days.ts'

/** Named periods. Each lasts until now. */
export const PERIODS = ['today', 'week', 'month', '30-days', 'year'] as const
export type Period = (typeof PERIODS)[number]

/** Whole days in the office's time zone, both ends included, as '2026-03-29'. Null means open-ended. */
export type Days = { from: string | null; to: string | null }

/** Points in time; `before` itself is not included. */
export type Bounds = { from: Date | null; before: Date | null }

export function daysOf(period: Period, now: Date, timeZone: string): Days {
  const today = dayOf(now, timeZone)
  const begins: Record<Period, string> = {
    today,
    week: mondayOf(now, timeZone), // S9.7
    month: `${today.slice(0, 7)}-01`,
    '30-days': daysAfter(today, -29),
    year: `${today.slice(0, 4)}-01-01`,
  }
  return { from: begins[period], to: null }
}

/** Returns when the days start and end. A day of 23 or 25 hours is still one whole day. */
export function boundsOf({ from, to }: Days, timeZone: string): Bounds {
  return {
    from: from === null ? null : beginningOf(from, timeZone),
    before: to === null ? null : beginningOf(daysAfter(to, 1), timeZone),
  }
}

const MINUTE_MS = 60_000
/** More than any time zone's distance from UTC, in minutes. */
const MOST_MINUTES = 26 * 60

/** Returns the first minute of a date. Uses bisection, as arithmetic cannot tell when clocks change. */
function beginningOf(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const at = (minute: number) => new Date(midnight + minute * MINUTE_MS)
  let [before, after] = [-MOST_MINUTES, MOST_MINUTES]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayOf(at(middle), timeZone) < day) before = middle
    else after = middle
  }
  return at(after)
}
