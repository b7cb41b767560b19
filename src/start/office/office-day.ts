import { formatCount } from '../../base/counts.ts'
import { monthsAfter } from '../../base/time/days.ts'

/** Something with a last day: a missing paper, or an open duty. Days are like '2026-11-15'. */
export type Due = {
  kind: 'paper' | 'duty'
  /** 'Årsrapport 2024/25'. */
  title: string
  project: { id: number; number: string; name: string }
  /** The folder whose paper is missing, or fulfils the duty. */
  folder: number | null
  period: string
  due_on: string
  /** The person responsible. Null for a paper, and if there is nobody. */
  responsible: string | null
}

/** Some of many. More than `MOST_COUNTED` are not counted. */
export type Some<Row> = { rows: Row[]; total: number }

/** A page waits for no longer count than this. */
export const MOST_COUNTED = 500

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
  /** People who were invited and never came. */
  invited: number
  inbox: { new: number; mine: number }
  /** The mails that could not be sent, and the person if they are all to one. */
  failed_mails: { count: number; person: number | null }
  unread: UnreadRelease[]
}

/** The office's day on its start page. */
export type OfficeDay = {
  today: string
  late: Some<Due>
  next: Due[]
  missing: Some<MissingKind>
  months: MonthCount[]
  waiting: Waiting
}

/**
 * Merges duties and papers in the order of their days. A duty that a paper fulfils stands for the paper. Returns the
 * first ones.
 */
export function mergeDue(
  duties: readonly Due[],
  papers: readonly Due[],
  order: 'first' | 'last',
  most: number,
): Due[] {
  const keyOf = ({ folder, period }: Due) => `${folder} ${period}`
  const meant = new Set(duties.filter(({ folder }) => folder !== null).map(keyOf))
  const all = [...duties, ...papers.filter((paper) => !meant.has(keyOf(paper)))]
  const way = order === 'first' ? 1 : -1
  return all.sort((a, b) => way * compare(a.due_on, b.due_on)).slice(0, most)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

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

/** '1 dag' for what is late, 'I dag', 'I morgen', 'Om 12 dage'. */
export function daysText(dueOn: string, today: string): string {
  const days = Math.round((Date.parse(dueOn) - Date.parse(today)) / 86_400_000)
  if (days < 0) return `${-days} ${days === -1 ? 'dag' : 'dage'}`
  if (days === 0) return 'I dag'
  return days === 1 ? 'I morgen' : `Om ${days} dage`
}
