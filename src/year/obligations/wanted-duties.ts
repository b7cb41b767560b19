import { daysAfter, monthsAfter } from '../../base/time/days.ts'
import {
  accountingYears,
  heldBetween,
  spansOf,
  type AccountingYears,
} from '../../projects/expected/accounting-year.ts'
import { binds, dueDayOf, MOST_MONTHS, type BoundProject, type ObligationRule } from './obligation.ts'

/** A project as the obligations see it. */
export type DutyProject = BoundProject & {
  years: AccountingYears
  /** The day on which it came into Ringbind. */
  addedOn: string
}

/** A duty: one thing that has to be done by a day. */
type WantedDuty = { period: string; startsOn: string; endsOn: string; dueOn: string }

/** However far back an obligation is watched, no duty is older. */
const YEARS_BACK = 10

/**
 * Lists the duties that an obligation gives a project, up to the end of the current accounting year. Last days from
 * before Ringbind knew the obligation are no duties, and neither are those from before it knew the project, unless the
 * project says since when the office has it.
 */
export function wantedDuties(
  obligation: ObligationRule & { is_active: boolean },
  { years, addedOn, ...project }: DutyProject,
  today: string,
): WantedDuty[] {
  if (!obligation.is_active || !binds(obligation, project)) return []
  const oldest = monthsAfter(today, -12 * YEARS_BACK)
  const first =
    years.heldFrom === null && addedOn > obligation.watched_from ? addedOn : obligation.watched_from
  const since = first > oldest ? first : oldest
  return spansFor(obligation, years, since, today).flatMap((span) => {
    const dueOn = dueDayOf(obligation, span)
    const asOf = obligation.due_rule === 'date' ? dueOn : span.to
    if (dueOn === null || asOf === null || dueOn < since) return []
    const { holds_since: holdsSince, holds_until: holdsUntil } = obligation
    if ((holdsSince !== null && asOf < holdsSince) || (holdsUntil !== null && asOf > holdsUntil)) return []
    return [{ period: span.key, startsOn: span.from, endsOn: span.to, dueOn }]
  })
}

/** Returns the periods whose last day may be after a day. A single day belongs to its accounting year. */
function spansFor(obligation: ObligationRule, years: AccountingYears, since: string, today: string) {
  if (obligation.due_rule === 'date') {
    const { due_on: day } = obligation
    const held = day === null ? null : heldBetween(years, { from: day, to: day })
    return held ? accountingYears(years, held).slice(0, 1) : []
  }
  const now = accountingYears(years, { from: today, to: today })[0]
  if (!now) return []
  const from = daysAfter(monthsAfter(since, -MOST_MONTHS), -1)
  const held = heldBetween(years, { from, to: now.to })
  return held ? spansOf(years, obligation.due_rule === 'day' ? 'year' : obligation.rhythm, held) : []
}
