import { dayOf, mondayOf } from '../../base/time/dates.ts'
import { daysAfter } from '../../base/time/days.ts'
import { momentOf } from '../../base/time/wall-clock.ts'

/** When mails leave to those who want one a day or one a week, on Mondays. */
const TURN = '08:00'

export type Turns = { daily: Date; weekly: Date }

/** Returns when the latest daily and weekly turn was. What was announced before it is due. */
export function latestTurns(now: Date, timeZone: string): Turns {
  return {
    daily: latest(dayOf(now, timeZone), 1, now, timeZone),
    weekly: latest(mondayOf(now, timeZone), 7, now, timeZone),
  }
}

function latest(day: string, every: number, now: Date, timeZone: string): Date {
  const at = (when: string) => new Date(momentOf(Date.parse(`${when}T${TURN}:00Z`), timeZone))
  return at(day) <= now ? at(day) : at(daysAfter(day, -every))
}
