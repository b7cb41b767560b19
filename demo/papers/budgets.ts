import { operatingResult, roundTo, type Item, type Operations } from './venture/amounts.ts'
import { between, chance } from './venture/chance.ts'
import { at, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import type { Venture } from './venture/venture.ts'
import { head, operatingRows, row, total } from './writing/written-amounts.ts'

export function budgets(venture: Venture): Draft[] {
  return yearsDown(venture.sold ?? 2027, venture.founded + 2).map((year) => ({
    rest: String(year),
    date: at(year - 1, 10, between(19, 30, `budget ${venture.number} ${year}`)),
    title: `Budget ${year}`,
    lines: () => budgetPaper(venture, year),
  }))
}

/** Returns the budget of a year: nearly what the year became. */
export function budgetOf({ number, accounts }: Venture, year: number): Operations {
  const { income, costs } = accounts.get(year)!
  const guess = ([label, amount]: Item): Item => {
    return [label, roundTo(amount * (0.97 + 0.05 * chance(`budget ${number} ${label} ${year}`)), 1000)]
  }
  return { income: income.map(guess), costs: costs.map(guess) }
}

function budgetPaper(venture: Venture, year: number): Line[] {
  const next = budgetOf(venture, year)
  const { interest, repaid } = venture.accounts.get(year)!
  const operating = operatingResult(next)
  const [ofInterest, ofLoan] = [roundTo(interest, 1000), roundTo(repaid, 1000)]
  return [
    `Budgettet omfatter perioden 1. januar – 31. december ${year} og forelægges bestyrelsen på mødet i december.`,
    { heading: 'Driftsbudget' },
    head('Beløb i kr.', `Budget ${year}`, `Budget ${year - 1}`),
    ...operatingRows([next, budgetOf(venture, year - 1)]),
    { heading: `Likviditet ${year}` },
    row('Resultat før renter', operating),
    row('Renter', -ofInterest),
    row('Afdrag', -ofLoan),
    total('Forventet likviditet fra driften', operating - ofInterest - ofLoan),
    '',
    'Eventuel udlodning besluttes på den ordinære generalforsamling.',
  ]
}
