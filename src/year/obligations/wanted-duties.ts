import { daysAfter, monthsAfter } from '../../base/time/days.ts'
import {
  accountingYears,
  heldBetween,
  spansOf,
  type AccountingYears,
} from '../../projects/expected/accounting-year.ts'
import {
  binds,
  CALENDAR,
  dueDayOf,
  MOST_MONTHS,
  type BoundProject,
  type ObligationRule,
} from './obligation.ts'

/** A project as the obligations see it. */
export type DutyProject = BoundProject & {
  years: AccountingYears
  /** The day on which it came into Ringbind. */
  addedOn: string
  /** The days of what the office has said has happened. */
  events: string[]
}

/** A duty: one thing that has to be done by a day. */
type WantedDuty = {
  period: string
  startsOn: string
  endsOn: string
  dueOn: string
  /** Stays as it is if it is there, and does not begin otherwise. */
  isOnlyKept: boolean
}

/** However far back an obligation is watched, no duty is older. */
const YEARS_BACK = 10

/** A new rule may put the last day of a duty so many months before the day from which duties are watched. */
const MONTHS_KEPT = 12

/**
 * Lists the duties that an obligation gives a project, up to the end of the current accounting year. Last days from
 * before `since` are no duties: those from before Ringbind knew the obligation, or before it knew the project, unless the
 * project says since when the office has it. A sold project owes the periods that began before the sale; if nobody knows
 * when that was, it owes what it owed.
 */
export function wantedDuties(
  obligation: ObligationRule & { is_active: boolean },
  project: DutyProject,
  today: string,
): WantedDuty[] {
  if (!obligation.is_active || !binds(obligation, project)) return []
  const { years, status, choice } = project
  const since = watchedSince(obligation, project, today)
  const isOver =
    status === 'sold' && years.soldOn === null && choice !== true && !obligation.statuses.includes('sold')
  return spansFor(obligation, project, since, today).flatMap((span) => {
    const dueOn = dueDayOf(obligation, span)
    const asOf = obligation.due_rule === 'date' ? dueOn : span.to
    if (dueOn === null || asOf === null) return []
    const isOld = obligation.due_rule !== 'event' && dueOn < since
    if (isOld && dueOn < monthsAfter(since, -MONTHS_KEPT)) return []
    const { holds_since: holdsSince, holds_until: holdsUntil } = obligation
    if ((holdsSince !== null && asOf < holdsSince) || (holdsUntil !== null && asOf > holdsUntil)) return []
    return [{ period: span.key, startsOn: span.from, endsOn: span.to, dueOn, isOnlyKept: isOver || isOld }]
  })
}

/** Returns the day from which an obligation's last days are watched for a project. */
export function watchedSince(
  { watched_from: watched }: Pick<ObligationRule, 'watched_from'>,
  { years, addedOn }: Pick<DutyProject, 'years' | 'addedOn'>,
  today: string,
): string {
  const oldest = monthsAfter(today, -12 * YEARS_BACK)
  const first = years.heldFrom === null && addedOn > watched ? addedOn : watched
  return first > oldest ? first : oldest
}

type DutySpan = Parameters<typeof dueDayOf>[1] & { key: string; from: string }

/** Returns the periods whose last day may be after a day. A single day belongs to its accounting year. */
function spansFor(
  obligation: ObligationRule,
  { years, events }: DutyProject,
  since: string,
  today: string,
): DutySpan[] {
  if (obligation.due_rule === 'event')
    return events.map((day) => ({
      key: day,
      from: day,
      to: day,
      period: { year: Number(day.slice(0, 4)), part: null },
    }))
  if (obligation.due_rule === 'date') {
    const { due_on: day } = obligation
    const held = day === null ? null : heldBetween(years, { from: day, to: day })
    return held ? accountingYears(years, held).slice(0, 1) : []
  }
  const those = obligation.due_rule === 'days' ? CALENDAR : years
  const now = accountingYears(those, { from: today, to: today })[0]
  if (!now) return []
  const from = daysAfter(monthsAfter(since, -MOST_MONTHS), -1)
  const held = heldBetween(years, { from, to: now.to })
  return held ? spansOf(those, obligation.due_rule === 'day' ? 'year' : obligation.rhythm, held) : []
}
