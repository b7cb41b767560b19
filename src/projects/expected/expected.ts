import { daysAfter, monthsAfter } from '../../base/time/days.ts'
import { isPeriodBetween, readPeriod, type Rhythm } from '../../base/time/period.ts'
import { accountingYears, heldBetween, spansOf, type AccountingYears } from './accounting-year.ts'

/** How often a folder gets a paper. `from` and `to` are the first and the last period like '2025-Q3'; null without an end. */
export type Expectation = {
  rhythm: Rhythm | 'none'
  from: string | null
  to: string | null
  /** Months after its period when a paper is late. An administrator sets it for each folder. */
  dueMonths: number
}

/** A period for which a paper is expected, with its days, and the last day in time. */
type ExpectedCell = { period: string; starts_on: string; ends_on: string; due_on: string }

/** How many accounting years back papers are expected at most: without a first period, and with one. */
const YEARS_BACK = 10
const MOST_YEARS_BACK = 50

/**
 * Lists the periods for which a folder expects papers, up to the end of the current accounting year. They begin with
 * the first period of the expectation, else with the day on which the project was taken over, else with `firstPeriod`,
 * that of the folder's oldest file or expected paper, else with this accounting year.
 */
export function expectedCells(
  years: AccountingYears,
  { rhythm, from, to, dueMonths }: Expectation,
  today: string,
  firstPeriod: string | null = null,
): ExpectedCell[] {
  const now = accountingYears(years, { from: today, to: today })[0]
  if (rhythm === 'none' || !now) return []
  const first = from ?? (years.heldFrom === null ? firstPeriod : null)
  const back = from !== null ? MOST_YEARS_BACK : years.heldFrom !== null || first !== null ? YEARS_BACK : 0
  const between = heldBetween(years, { from: monthsAfter(now.from, -12 * back), to: now.to })
  if (!between) return []
  // A file of a coming year does not end the expectation of this one.
  const begin = from === null && first !== null && first > now.key ? now.key : first
  const limits = { from: begin === null ? null : readPeriod(begin), to: to === null ? null : readPeriod(to) }
  return spansOf(years, rhythm, between)
    .filter(({ period }) => isPeriodBetween(period, limits))
    .map((span) => ({
      period: span.key,
      starts_on: span.from,
      ends_on: span.to,
      due_on: daysAfter(monthsAfter(daysAfter(span.to, 1), dueMonths), -1),
    }))
}
