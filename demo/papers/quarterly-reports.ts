import { powerIncome, type Accounts } from './venture/accounts.ts'
import type { Item } from './venture/amounts.ts'
import { budgetOf } from './budgets.ts'
import { between } from './venture/chance.ts'
import { at, MONTHS, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { EVEN, KINDS, type Seasons } from './venture/kinds.ts'
import { activeIn } from './venture/leases.ts'
import type { Line } from './writing/pdf.ts'
import { lastReport, type Venture } from './venture/venture.ts'
import { head, kroner, operatingRows } from './writing/written-amounts.ts'

export function quarterlyReports(venture: Venture): Draft[] {
  return yearsDown(lastReport(venture, 2026), venture.founded + 1).flatMap((year) =>
    [4, 3, 2, 1].map((quarter) => ({
      rest: `Q${quarter} ${year}`,
      date: at(year, quarter * 3 + 1, between(18, 28, `quarter ${venture.number} ${year} ${quarter}`)),
      title: `Kvartalsrapport, ${quarter}. kvartal ${year}`,
      lines: () => quarterlyReport(venture, year, quarter),
    })),
  )
}

function quarterlyReport(venture: Venture, year: number, quarter: number): Line[] {
  const now = venture.accounts.get(year)!
  const until = (end: number) => ({
    income: incomeUntil(venture, now, end),
    costs: itemsUntil(now.costs, EVEN, end),
  })
  const [before, toDate] = [until(quarter - 1), until(quarter)]
  const inQuarter = {
    income: less(toDate.income, before.income),
    costs: less(toDate.costs, before.costs),
  }
  return [
    stateOf(venture, now, quarter),
    'Tallene er ikke reviderede.',
    { heading: 'Drift' },
    head('Beløb i kr.', 'Kvartalet', 'År til dato', 'Årets budget'),
    ...operatingRows([inQuarter, toDate, budgetOf(venture, year)]),
    '',
    `Næste kvartalsrapport udsendes i ${MONTHS[(quarter * 3 + 3) % 12]}.`,
    'Spørgsmål kan rettes til administrationen.',
  ]
}

/**
 * Returns the income up to the end of a quarter. Power is measured and then priced, so that a quarter's amount is its
 * production at the year's price.
 */
export function incomeUntil({ kind }: Venture, { income, mwh, year }: Accounts, quarter: number): Item[] {
  if (mwh) return powerIncome(untilQuarter(mwh, kind.seasons, quarter), year)
  return itemsUntil(income, kind.seasons, quarter)
}

function itemsUntil(items: Item[], seasons: Seasons, quarter: number): Item[] {
  return items.map(([label, amount]) => [label, untilQuarter(amount, seasons, quarter)])
}

/** Returns the year's total up to the end of each quarter, so that the quarters add up to it. */
function untilQuarter(amount: number, seasons: Seasons, quarter: number): number {
  const part = seasons.slice(0, quarter).reduce((share, season) => share + season, 0)
  return quarter === 4 ? amount : Math.round(amount * part)
}

function less(items: Item[], others: Item[]): Item[] {
  return items.map(([label, amount], index) => [label, amount - others[index]![1]])
}

function stateOf({ kind, leases }: Venture, { year, mwh }: Accounts, quarter: number): string {
  if (mwh) {
    const [before, toDate] = [quarter - 1, quarter].map((end) => untilQuarter(mwh, kind.seasons, end))
    return `Produktionen var ${kroner(toDate! - before!)} MWh i kvartalet og ${kroner(toDate!)} MWh i året til dato.`
  }
  const active = activeIn(leases, year)
  if (kind === KINDS.ship) return `Skibet har i hele kvartalet været udchartret til ${active[0]?.full}.`
  if (kind === KINDS.hotel) return `Hotellet har i hele kvartalet været forpagtet af ${active[0]?.full}.`
  const area = active.reduce((size, lease) => size + lease.size, 0)
  return `Ved kvartalets udgang var der udlejet ${kroner(area)} m², fordelt på ${active.length} aftaler.`
}
