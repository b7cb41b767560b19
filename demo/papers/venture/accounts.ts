import { operatingResult, roundDown, roundTo, sum, type Item, type Operations } from './amounts.ts'
import { chance } from './chance.ts'
import type { Kind } from './kinds.ts'
import { rentIn, type Lease } from './leases.ts'
import { INTEREST, PRICE } from './yearly-rates.ts'

/** The accounts of one year, in whole kroner. Costs and interest are positive. */
export type Accounts = Operations & {
  year: number
  mwh: number
  operating: number
  interest: number
  /** How much the asset gained or lost in value. */
  change: number
  result: number
  repaid: number
  paidOut: number
  opening: { equity: number; loan: number }
  asset: number
  receivables: number
  bank: number
  equity: number
  loan: number
  otherDebt: number
}

type Basis = { number: string; founded: number; kind: Kind; rate: number; leases: Lease[]; mwh?: number }

/** Returns the accounts of every year of a project, until 2027, which is a budget. */
export function accountsFrom(basis: Basis): Map<number, Accounts> {
  const { kind, founded, mwh = 0 } = basis
  const normal = kind.paysRent ? mwh * 480 : rentIn(basis, founded + 4)
  const cost = roundTo(normal * kind.multiple, 100_000)
  const reserve = roundTo(cost * 0.02, 10_000)
  const loan = roundTo(cost * 0.6, 100_000)
  const accounts = new Map<number, Accounts>()
  let before = { asset: cost, equity: cost - loan + reserve, loan }
  for (let year = founded + 1; year <= 2027; year++) {
    const now = yearOf(basis, year, { normal, cost, reserve }, before)
    accounts.set(year, now)
    before = now
  }
  return accounts
}

function yearOf(
  basis: Basis,
  year: number,
  { normal, cost, reserve }: { normal: number; cost: number; reserve: number },
  before: { asset: number; equity: number; loan: number },
): Accounts {
  const { kind, number } = basis
  const mwh = Math.round((basis.mwh ?? 0) * (0.92 + 0.16 * chance(`wind ${number} ${year}`)))
  const income = kind.paysRent ? powerIncome(mwh, year) : rentIncome(basis, year)
  const costs = costsIn(basis, year, normal)
  const operating = operatingResult({ income, costs })
  const interest = Math.round((before.loan * INTEREST[year]!) / 10_000)
  const change = kind.lifetime
    ? -Math.min(before.asset, Math.round(cost / kind.lifetime))
    : roundTo(cost * (0.03 * chance(`value ${number} ${year}`) - 0.008), 10_000)
  const result = operating - interest + change
  const asset = before.asset + change
  const receivables = Math.round(sum(income) * 0.04)
  const otherDebt = Math.round(sum(costs) * 0.09)
  // The money in the bank before any payment: the creditor is paid first, then the partners.
  const atHand = before.equity + result + before.loan + otherDebt - asset - receivables
  const due = Math.min(before.loan, roundTo((cost * 0.6) / kind.loanYears, 1000))
  const repaid = Math.max(0, Math.min(due, roundDown(atHand, 1000)))
  const paidOut = Math.max(0, roundDown(atHand - repaid - reserve, 100_000))
  return {
    year,
    mwh,
    income,
    costs,
    operating,
    interest,
    change,
    result,
    repaid,
    paidOut,
    opening: { equity: before.equity, loan: before.loan },
    asset,
    receivables,
    bank: atHand - repaid - paidOut,
    equity: before.equity + result - paidOut,
    loan: before.loan - repaid,
    otherDebt,
  }
}

/** Returns the income from a production at the year's price, and the state's subsidy. */
export function powerIncome(mwh: number, year: number): Item[] {
  const price = PRICE[year]!
  return [
    ['Salg af el', mwh * price],
    ['Pristillæg', mwh * Math.min(250, Math.max(0, 580 - price))],
  ]
}

function rentIncome(basis: Basis, year: number): Item[] {
  const rent = rentIn(basis, year)
  return [
    [basis.kind.income, rent],
    ['Øvrige indtægter', roundTo(rent * 0.012 * chance(`other ${basis.number} ${year}`), 100)],
  ]
}

function costsIn(basis: Basis, year: number, normal: number): Item[] {
  const { number, founded, kind } = basis
  const costs = kind.costs.map(([label, share]): Item => {
    const dearer = 1.017 ** (year - founded) * (0.92 + 0.16 * chance(`${label} ${number} ${year}`))
    return [label, Math.round(normal * share * dearer)]
  })
  return kind.paysRent ? [['Forpagtning af jord', rentIn(basis, year)], ...costs] : costs
}
