import { formatCount } from '../../base/danish/counts.ts'
import { monthsAfter } from '../../base/time/days.ts'
import { MOST_COUNTED, type Some } from '../../year/due/due.ts'
import type { Duty } from '../../year/obligations/duty.ts'

/** '37', or 'mere end 1.000'. */
export const countText = (count: number) =>
  count > MOST_COUNTED ? `mere end ${formatCount(MOST_COUNTED)}` : formatCount(count)

/** A kind of paper, by its folder's name, and how many of its periods have ended without one. */
export type MissingKind = { name: string; count: number }

/** How many papers that are not there have their last day in a month: '2026-11'. */
export type MonthCount = { month: string; count: number }

/** A release that not everybody has opened. */
export type UnreadRelease = {
  id: number
  name: string
  published_at: string
  reached: number
  opened: number
  /** Whether more may have opened it: not all openings were counted. */
  is_least: boolean
}

/** Counts of what waits for somebody in the office. */
export type Waiting = {
  drafts: number
  /** The reader's own releases that wait for a colleague. */
  asked: number
  /** People who have never signed in. */
  never: number
  inbox: { new: number; mine: number }
  /** The mails that could not be sent, and the person if they are all to one. */
  /** Receipts that somebody may end a duty with, and those that fit none. */
  receipts: { proposed: number; misfits: number }
  failed_mails: { count: number; person: number | null }
  unread: UnreadRelease[]
}

/** The office's day on its start page. */
export type OfficeDay = {
  today: string
  late: Some<Duty>
  next: Duty[]
  missing: Some<MissingKind>
  months: MonthCount[]
  waiting: Waiting
}

const BEFORE = 5
const AFTER = 6

/** Lists the months around a day with their counts, also those with none. */
export function monthsAround(today: string, counts: readonly MonthCount[]): MonthCount[] {
  const known = new Map(counts.map(({ month, count }) => [month, count]))
  const first = `${today.slice(0, 7)}-01`
  return Array.from({ length: BEFORE + 1 + AFTER }, (_, index) => {
    const month = monthsAfter(first, index - BEFORE).slice(0, 7)
    return { month, count: known.get(month) ?? 0 }
  })
}
