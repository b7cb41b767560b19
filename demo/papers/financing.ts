import type { Accounts } from './venture/accounts.ts'
import { between } from './venture/chance.ts'
import { at, danish, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { lastReport, type Venture } from './venture/venture.ts'
import { exact, head, kroner, row, total } from './writing/written-amounts.ts'
import { INTEREST } from './venture/yearly-rates.ts'

export function financing(venture: Venture): Draft[] {
  const { accounts, founded, kind, name, number, board } = venture
  const loan = accounts.get(founded + 1)!.opening.loan
  const date = at(founded, 9, between(3, 26, `loan ${number}`))
  const statements = yearsDown(lastReport(venture), founded + 1).map((year) => ({
    rest: `Årsopgørelse lån ${year}`,
    date: at(year + 1, 1, between(8, 20, `statement ${number} ${year}`)),
    title: `Årsopgørelse ${year}`,
    lines: () => loanStatement(accounts.get(year)!),
  }))
  return [
    {
      rest: `Låneaftale Kystbanken ${founded}`,
      date,
      title: 'Låneaftale',
      lines: () => [
        `Mellem Kystbanken A/S (långiver) og ${name} (låntager) er indgået aftale om et lån med følgende vilkår.`,
        row('Hovedstol i kr.', loan),
        { row: ['Løbetid', `${kind.loanYears} år`] },
        { row: ['Rente', 'variabel, fastsættes hvert år'] },
        { row: ['Sikkerhed', `1. prioritets pant i ${kind.object}`] },
        '',
        'Låntager sender årsrapport og budget til långiver, så snart de er godkendt.',
        danish(date),
        { signatures: ['Kystbanken A/S', `For låntager, ${board[0]}`] },
      ],
    },
    {
      rest: `Pantebrev ${founded}`,
      date: at(founded, 10, between(3, 26, `deed ${number}`)),
      title: 'Pantebrev',
      lines: () => [
        `${name} giver Kystbanken A/S pant for ${kroner(loan)} kr. i ${kind.object}.`,
        'Pantet ligger til sikkerhed for låneaftalen af samme år. Pantebrevet kan ikke overdrages uden lånet.',
        { signatures: [`For pantsætter, ${board[0]}`] },
      ],
    },
    ...statements,
  ]
}

function loanStatement({ year, opening, interest, repaid, loan }: Accounts): Line[] {
  return [
    'Kystbanken A/S sender hermed opgørelse over lånet.',
    head('Beløb i kr.', String(year)),
    row('Restgæld 1. januar', opening.loan),
    row('Afdrag', -repaid),
    total('Restgæld 31. december', loan),
    '',
    { row: ['Rentesats', `${exact(INTEREST[year]! / 100)} pct.`] },
    row('Betalte renter', interest),
    row('Afdrag', repaid),
    total('Ydelse i alt', interest + repaid),
  ]
}
