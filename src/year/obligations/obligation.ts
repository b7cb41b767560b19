import { daysAfter, monthName, monthsAfter } from '../../base/time/days.ts'
import type { Rhythm } from '../../base/time/period.ts'
import type { Span } from '../../projects/expected/accounting-year.ts'
import type { Status } from '../../projects/project/project.ts'

/** How the last day is found: months after the period, a day of the next calendar year, or one day only. */
export const DUE_RULES = ['months', 'day', 'date'] as const
type DueRule = (typeof DUE_RULES)[number]

/** The projects an obligation applies to: every one that fits, or only chosen ones. */
export const REACHES = ['fitting', 'chosen'] as const
type Reach = (typeof REACHES)[number]

/** The rule of an obligation. Days are like '2026-11-15'. */
export type ObligationRule = {
  rhythm: Rhythm
  /** It applies to periods that end between these two days; null without a limit. */
  holds_since: string | null
  holds_until: string | null
  /** Only last days from this one on are watched. */
  watched_from: string
  due_rule: DueRule
  /** For `months`. */
  due_months: number
  /** For `day`: 15 and 4 are 15 April. */
  due_day: number
  due_month: number
  /** For `date`. */
  due_on: string | null
  reach: Reach
  statuses: Status[]
  /** Binds only projects with more investors than this; null for any number. */
  more_than: number | null
}

/** The office's fields of an obligation. */
export type ObligationFields = ObligationRule & {
  title: string
  explanation: string
  /** The law, and where to read it. */
  source: string
  source_url: string
  /** The paper in the folder of this name fulfils it; '' if somebody must say so. */
  folder_name: string
  responsible_id: number | null
  /** The responsible gets a mail so many days before. */
  remind_days: number[]
  is_active: boolean
}

export type Obligation = ObligationFields & {
  id: number
  /** The name that a shipped obligation keeps; null for one of the office's own. */
  code: string | null
}

/** The initial values of a new one. It is watched from the day on which it is added. */
export const NEW_OBLIGATION: ObligationFields = {
  title: '',
  explanation: '',
  source: '',
  source_url: '',
  rhythm: 'year',
  holds_since: null,
  holds_until: null,
  watched_from: '',
  due_rule: 'months',
  due_months: 6,
  due_day: 1,
  due_month: 1,
  due_on: null,
  reach: 'fitting',
  statuses: ['active', 'closing'],
  more_than: null,
  folder_name: '',
  responsible_id: null,
  remind_days: [30, 7, 1],
  is_active: true,
}

export const MOST_MONTHS = 60
export const MOST_REMINDERS = 10
export const MOST_DAYS_BEFORE = 365

/** Returns the last day for a period, whatever day of the week it is. */
export function dueDayOf(
  {
    due_rule: rule,
    due_months: months,
    due_day: day,
    due_month: month,
    due_on: on,
  }: Pick<ObligationRule, 'due_rule' | 'due_months' | 'due_day' | 'due_month' | 'due_on'>,
  { period, to }: Pick<Span, 'period' | 'to'>,
): string | null {
  if (rule === 'date') return on
  // A year that ends with a month has its last day at the end of a month, too.
  if (rule === 'months') return daysAfter(monthsAfter(daysAfter(to, 1), months), -1)
  const first = `${period.year + 1}-${String(month).padStart(2, '0')}-01`
  const last = daysAfter(monthsAfter(first, 1), -1)
  const wanted = `${first.slice(0, 8)}${String(day).padStart(2, '0')}`
  return wanted < last ? wanted : last
}

/** The facts about a project that an obligation asks for. `choice` is the choice made for just the two of them. */
export type BoundProject = { status: Status; investors: number; choice: boolean | null }

export function binds(
  { reach, statuses, more_than: moreThan }: Pick<ObligationRule, 'reach' | 'statuses' | 'more_than'>,
  { status, investors, choice }: BoundProject,
): boolean {
  if (choice !== null) return choice
  return reach === 'fitting' && statuses.includes(status) && (moreThan === null || investors > moreThan)
}

export const RHYTHM_NAMES: Record<Rhythm, string> = {
  year: 'Hvert regnskabsår',
  half: 'Hvert halvår',
  quarter: 'Hvert kvartal',
}

const ENDS: Record<Rhythm, string> = {
  year: 'regnskabsårets slutning',
  half: 'halvårets slutning',
  quarter: 'kvartalets slutning',
}

/** 'Senest 6 måneder efter regnskabsårets slutning', 'Senest 15. april året efter', 'Senest 30/06/2027'. */
export function dueRuleText(
  obligation: Pick<ObligationRule, 'rhythm' | 'due_rule' | 'due_months' | 'due_day' | 'due_month' | 'due_on'>,
): string {
  const { due_rule: rule, due_months: months, due_day: day, due_month: month, due_on: on } = obligation
  if (rule === 'date') return `Senest ${on?.split('-').toReversed().join('/') ?? ''}`
  if (rule === 'day') return `Senest ${day}. ${monthName(month)} året efter`
  if (months === 0) return `Senest ved ${ENDS[obligation.rhythm]}`
  return `Senest ${months} ${months === 1 ? 'måned' : 'måneder'} efter ${ENDS[obligation.rhythm]}`
}
