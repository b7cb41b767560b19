import { daysAfter } from '../../base/time/days.ts'
import { daysBetween } from './duty.ts'

/** Late duties are mailed on their first day, and then every week. */
const AGAIN_DAYS = 7

/**
 * Returns the latest day, up to today, on which the responsible is to be mailed about a duty: some days before its last
 * day, the day after it, and every week from then on. Null if none has come. A day on which nothing ran is caught up
 * on.
 */
export function latestReminder(dueOn: string, daysBefore: readonly number[], today: string): string | null {
  const late = daysBetween(dueOn, today)
  if (late > 0) return daysAfter(dueOn, late - ((late - 1) % AGAIN_DAYS))
  const past = daysBefore.map((days) => daysAfter(dueOn, -days)).filter((day) => day <= today)
  return past.length === 0 ? null : past.reduce((a, b) => (a > b ? a : b))
}

/** Whether the responsible is to be mailed today, given the day of the last mail. */
export function isReminderDue(
  {
    due_on: dueOn,
    remind_days: days,
    told_on: toldOn,
  }: { due_on: string; remind_days: number[]; told_on: string | null },
  today: string,
): boolean {
  const reminder = latestReminder(dueOn, days, today)
  return reminder !== null && (toldOn === null || toldOn < reminder)
}
