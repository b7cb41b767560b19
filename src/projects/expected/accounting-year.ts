import { daysAfter, monthsAfter } from '../../base/time/days.ts'
import { periodKey, type Part, type Period, type Rhythm } from '../../base/time/period.ts'

/** When a project's accounting years end, and how long the office has it. Days are like '2026-11-15'. */
export type AccountingYears = {
  /** The last month, from 1 to 12, before any change. */
  ends: number
  /** Accounting years that begin on this day or later end with another month. In the order of their days. */
  changes: readonly { since: string; ends: number }[]
  /** Null: always. */
  heldFrom: string | null
  /** Null: not sold. */
  soldOn: string | null
}

/** A period of a project, with its first and its last day. */
export type Span = { period: Period; key: string; from: string; to: string; crossesNewYear: boolean }

/** Lists a project's accounting years that have a day between two days, oldest first. */
export function accountingYears(
  { ends, changes }: Pick<AccountingYears, 'ends' | 'changes'>,
  between: { from: string; to: string },
): Span[] {
  const spans: Span[] = []
  // The last end before the first day, under the first rule: changes are applied from there on.
  const begin = changes[0] && changes[0].since < between.from ? changes[0].since : between.from
  let last = lastDayOf(Number(begin.slice(0, 4)) - 2, ends)
  while (last < between.to) {
    const from = daysAfter(last, 1)
    const rule = changes.findLast(({ since }) => since <= from)?.ends ?? ends
    const end = firstEndAfter(last, rule)
    // A change may begin in the middle of a year, which ends the day before.
    const change = changes.find(({ since }) => since > from && since <= end)
    const to = change ? daysAfter(change.since, -1) : end
    const before = spans.at(-1)
    const span = spanOf(from, to, before)
    // A third end in one calendar year makes the short year longer: no two periods have the same key.
    if (before?.key === span.key) before.to = to
    else spans.push(span)
    last = to
  }
  // Earlier years are computed too, because a short year depends on the one before.
  return spans.filter(({ to }) => to >= between.from)
}

/** A second year that ends in the same calendar year is the short one of a change. */
function spanOf(from: string, to: string, before: Span | undefined): Span {
  const year = Number(to.slice(0, 4))
  const isSecond = before?.period.year === year
  const period: Period = { year, part: isSecond ? 'O' : null }
  return { period, key: periodKey(period), from, to, crossesNewYear: from.slice(0, 4) !== to.slice(0, 4) }
}

/** Lists the periods of a rhythm that have a day between two days. A year of other than 12 months has no parts: it is one period. */
export function spansOf(
  years: Pick<AccountingYears, 'ends' | 'changes'>,
  rhythm: Rhythm,
  between: { from: string; to: string },
): Span[] {
  return accountingYears(years, between)
    .flatMap((year) => partsOf(year, rhythm))
    .filter(({ from, to }) => to >= between.from && from <= between.to)
}

function partsOf(year: Span, rhythm: Rhythm): Span[] {
  const isWhole = daysAfter(year.to, 1) === monthsAfter(year.from, 12)
  if (rhythm === 'year' || !isWhole) return [year]
  const [count, letter] = rhythm === 'half' ? [2, 'H'] : [4, 'Q']
  return Array.from({ length: count }, (_, index) => {
    const months = 12 / count
    const period: Period = { ...year.period, part: `${letter}${index + 1}` as Part }
    return {
      ...year,
      period,
      key: periodKey(period),
      from: monthsAfter(year.from, index * months),
      to: daysAfter(monthsAfter(year.from, (index + 1) * months), -1),
    }
  })
}

/** The days of a project that matter between two days: those on which the office has it. Null if there are none. */
export function heldBetween(
  { heldFrom, soldOn }: Pick<AccountingYears, 'heldFrom' | 'soldOn'>,
  { from, to }: { from: string; to: string },
): { from: string; to: string } | null {
  const first = heldFrom !== null && heldFrom > from ? heldFrom : from
  const last = soldOn !== null && soldOn < to ? soldOn : to
  return first <= last ? { from: first, to: last } : null
}

const lastDayOf = (year: number, month: number) =>
  daysAfter(monthsAfter(`${year}-${String(month).padStart(2, '0')}-01`, 1), -1)

function firstEndAfter(day: string, month: number): string {
  const year = Number(day.slice(0, 4))
  const end = lastDayOf(year, month)
  return end > day ? end : lastDayOf(year + 1, month)
}
