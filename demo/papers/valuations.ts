import { between } from './venture/chance.ts'
import { at, danish, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { lastReport, type Venture } from './venture/venture.ts'
import { exact, head, row, total } from './writing/written-amounts.ts'

export function valuations(venture: Venture): Draft[] {
  const { accounts, founded, kind, number } = venture
  const years = yearsDown(lastReport(venture), founded + 2).filter((year) => (year - founded) % 2 === 0)
  return years.map((year) => {
    const date = at(year + 1, 2, between(2, 24, `valuation ${number} ${year}`))
    const { asset, operating } = accounts.get(year)!
    return {
      rest: `Vurdering pr. 31. december ${year}`,
      date,
      title: `Vurdering pr. 31. december ${year}`,
      lines: () => [
        `Efter besigtigelse af ${kind.object} er værdien vurderet som følger.`,
        head('Beløb i kr.', String(year)),
        row('Resultat før renter', operating),
        { row: ['I procent af værdien', `${exact((operating / asset) * 100)} pct.`] },
        total('Vurderet værdi', asset),
        '',
        'Vurderingen forudsætter almindelig god vedligeholdelse og bygger på oplysninger fra administrationen.',
        danish(date),
        { signatures: ['Vurderingsmand'] },
      ],
    }
  })
}
