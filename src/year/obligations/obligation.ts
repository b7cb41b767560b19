import { listed } from '../../base/danish/listed.ts'
import { daysAfter, monthName, monthsAfter } from '../../base/time/days.ts'
import type { Rhythm } from '../../base/time/period.ts'
import type { Span } from '../../projects/expected/accounting-year.ts'
import type { Status } from '../../projects/project/project.ts'

/**
 * How the last day is found: months after the period, a day of the next calendar year, fixed days for the calendar's own
 * periods, one day only, or days after something that the office says has happened.
 */
export const DUE_RULES = ['months', 'day', 'days', 'date', 'event'] as const
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
  /** For `days`: '03-01' is 1 March. */
  due_days: string[]
  /** For `date`. */
  due_on: string | null
  /** For `event`. */
  after_days: number
  reach: Reach
  statuses: Status[]
  /** Binds only projects with more investors than this; null for any number. Among chosen ones only a hint. */
  more_than: number | null
}

/** The calendar's years, for what does not follow the accounting year. */
export const CALENDAR = { ends: 12, changes: [] }

/** The office's fields of an obligation. */
export type ObligationFields = ObligationRule & {
  title: string
  explanation: string
  /** The law, and where to read it. */
  source: string
  source_url: string
  /** The paper in the folder of this name fulfils it; '' if somebody must say so. */
  folder_name: string
  /** Filed with an authority: somebody says that it is done, and never a paper in a folder. */
  is_filing: boolean
  /** Does not bind the projects that this other one binds. */
  unless_id: number | null
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

/** Whether it is a filing that came with Ringbind: the office cannot have a paper end its duties. */
export const isShippedFiling = (obligation: Pick<Obligation, 'code' | 'is_filing'> | null): boolean =>
  obligation !== null && obligation.code !== null && obligation.is_filing

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
  due_days: [],
  due_on: null,
  after_days: 14,
  reach: 'fitting',
  statuses: ['active', 'closing'],
  more_than: null,
  folder_name: '',
  is_filing: false,
  unless_id: null,
  responsible_id: null,
  remind_days: [30, 7, 1],
  is_active: true,
}

export const MOST_MONTHS = 60
export const MOST_REMINDERS = 10
export const MOST_DAYS_BEFORE = 365
export const MOST_AFTER_DAYS = 365

/** The parts of a rule that say when the last day is, and those that say which periods it is for. */
export const DUE_FIELDS = [
  'rhythm',
  'due_rule',
  'due_months',
  'due_day',
  'due_month',
  'due_days',
  'due_on',
  'after_days',
] as const
export const HELD_FIELDS = ['holds_since', 'holds_until'] as const

type DueParts = Pick<ObligationRule, (typeof DUE_FIELDS)[number]>

/** Returns the last day for a period, whatever day of the week it is. */
export function dueDayOf(
  due: Omit<DueParts, 'rhythm'>,
  { period, to }: Pick<Span, 'period' | 'to'>,
): string | null {
  switch (due.due_rule) {
    case 'date':
      return due.due_on
    case 'event':
      return daysAfter(to, due.after_days)
    case 'day':
      return dayIn(period.year + 1, due.due_month, due.due_day)
    case 'days':
      return firstOf(due.due_days, to)
    default:
      // A year that ends with a month has its last day at the end of a month, too.
      return daysAfter(monthsAfter(daysAfter(to, 1), due.due_months), -1)
  }
}

/** Returns the first of the fixed days after a day: of 1 March and 1 September after 30 June, 1 September. */
function firstOf(days: readonly string[], after: string): string | null {
  const year = Number(after.slice(0, 4))
  const found = [year, year + 1]
    .flatMap((each) => days.map((day) => dayIn(each, Number(day.slice(0, 2)), Number(day.slice(3)))))
    .filter((day) => day > after)
    .sort()
  return found[0] ?? null
}

/** Returns a day of a year; the last of the month if the month is shorter. */
function dayIn(year: number, month: number, day: number): string {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  const last = daysAfter(monthsAfter(first, 1), -1)
  const wanted = `${first.slice(0, 8)}${String(day).padStart(2, '0')}`
  return wanted < last ? wanted : last
}

/** The facts about a project that an obligation asks for. */
export type BoundProject = {
  status: Status
  investors: number
  /** Made for just the two of them. */
  choice: boolean | null
  /** Bound by the other one, which this one leaves its projects to. */
  isElsewhere: boolean
}

/** Whether an obligation binds a project. A sold one is bound for the periods before the sale (`wantedDuties`). */
export function binds(
  { reach, statuses, more_than: moreThan }: Pick<ObligationRule, 'reach' | 'statuses' | 'more_than'>,
  { status, investors, choice, isElsewhere }: BoundProject,
): boolean {
  if (choice !== null) return choice
  if (reach === 'chosen' || isElsewhere) return false
  return (status === 'sold' || statuses.includes(status)) && (moreThan === null || investors > moreThan)
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
export function dueRuleText(obligation: DueParts): string {
  switch (obligation.due_rule) {
    case 'date':
      return `Senest ${obligation.due_on?.split('-').toReversed().join('/') ?? ''}`
    case 'day':
      return `Senest ${obligation.due_day}. ${monthName(obligation.due_month)} året efter`
    case 'days':
      return `Senest ${listed(obligation.due_days.map(dayOfYearText))}, for kalenderåret`
    case 'event':
      return `Senest ${counted(obligation.after_days, 'dag', 'dage')} efter en hændelse`
    default:
      if (obligation.due_months === 0) return `Senest ved ${ENDS[obligation.rhythm]}`
      return `Senest ${counted(obligation.due_months, 'måned', 'måneder')} efter ${ENDS[obligation.rhythm]}`
  }
}

const counted = (many: number, one: string, more: string) => `${many} ${many === 1 ? one : more}`

/** '03-01' becomes '1. marts'. */
const dayOfYearText = (day: string) => `${Number(day.slice(3))}. ${monthName(Number(day.slice(0, 2)))}`
