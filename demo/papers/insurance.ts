import { roundTo } from './venture/amounts.ts'
import { between } from './venture/chance.ts'
import { at, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { lastReport, type Venture } from './venture/venture.ts'
import { head, row } from './writing/written-amounts.ts'

export function insurance(venture: Venture): Draft[] {
  const { kind, accounts, founded, number, name } = venture
  return yearsDown(lastReport(venture, 2026), founded + 2).map((year) => {
    const date = at(year - 1, 12, between(2, 18, `policy ${number} ${year}`))
    const premium = accounts.get(year)!.costs.find(([label]) => label === 'Forsikring')![1]
    return {
      rest: `Police ${year}`,
      date,
      title: `Police ${year}`,
      lines: () => [
        kind.insurance,
        { row: ['Forsikringstager', name] },
        { row: ['Forsikringsselskab', 'Værnet Forsikring G/S'] },
        { row: ['Policenummer', `${number}-${between(100_000, 999_999, `police ${number}`)}`] },
        { row: ['Periode', `1. januar – 31. december ${year}`] },
        { heading: 'Dækning og præmie' },
        head('Beløb i kr.', String(year)),
        row('Forsikringssum', roundTo(accounts.get(year - 1)!.asset, 100_000)),
        row('Selvrisiko pr. skade', kind.lifetime ? 250_000 : 25_000),
        row('Årspræmie inkl. afgifter', premium),
        '',
        'Skader anmeldes til administrationen, som giver besked til forsikringsselskabet.',
      ],
    }
  })
}
