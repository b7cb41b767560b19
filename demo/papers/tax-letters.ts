import { between } from './venture/chance.ts'
import { at, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { lastReport, SHARES, type Venture } from './venture/venture.ts'
import { exact, head, kroner } from './writing/written-amounts.ts'

export function taxLetters(venture: Venture): Draft[] {
  return yearsDown(lastReport(venture), venture.founded + 1).map((year) => ({
    rest: `Indkomståret ${year}`,
    date: at(year + 1, 3, between(1, 20, `tax ${venture.number} ${year}`)),
    title: `Skatteoplysninger for indkomståret ${year}`,
    lines: () => taxLetter(venture, year),
  }))
}

function taxLetter({ accounts, founded }: Venture, year: number): Line[] {
  const { operating, interest, equity, loan, otherDebt } = accounts.get(year)!
  const first = accounts.get(founded + 1)!
  const depreciation = Math.round((first.asset - first.change) * 0.03)
  const taxed = operating - interest - depreciation
  const both = (label: string, amount: number, as?: 'total'): Line => ({
    row: [label, kroner(amount), exact(amount / SHARES)],
    ...(as && { as }),
  })
  return [
    'Til kommanditisterne',
    `Nedenfor følger oplysninger til brug for kommanditisternes skat. Selskabet har ${SHARES} andele.`,
    head('Beløb i kr.', 'I alt', 'Pr. andel'),
    both('Resultat før renter', operating),
    both('Renteudgifter', -interest),
    both('Skattemæssige afskrivninger', -depreciation),
    both('Skattemæssigt resultat', taxed, 'total'),
    { heading: `Status pr. 31. december ${year}` },
    head('Beløb i kr.', 'I alt', 'Pr. andel'),
    both('Egenkapital', equity),
    both('Gæld', loan + otherDebt),
    '',
    'Den, der ejer flere andele, ganger beløbet pr. andel med sit antal andele.',
  ]
}
