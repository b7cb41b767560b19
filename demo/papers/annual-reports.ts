import type { Accounts } from './venture/accounts.ts'
import { between } from './venture/chance.ts'
import { at, danish, daysBefore, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { lastReport, type Venture } from './venture/venture.ts'
import { head, kroner, operatingRows, row, surplus, total } from './writing/written-amounts.ts'

export function annualReports(venture: Venture): Draft[] {
  return yearsDown(lastReport(venture), venture.founded + 1).flatMap((year) => {
    const date = at(year + 1, 4, between(8, 24, `report ${venture.number} ${year}`))
    const title = `Årsrapport ${year}`
    const lines = () => annualReport(venture, year, date)
    const final = { ...reportName(venture.number, year), date, title, lines }
    if (year !== 2022 || venture.number !== '1024') return [final]
    const rest = '2022 udkast til bestyrelsen'
    return [final, { rest, date: daysBefore(date, 30), title: `${title} (udkast)`, lines }]
  })
}

/** Returns a report's name. Some years use the folder's sub names, because habits change. */
function reportName(number: string, year: number): { rest: string; as?: string } {
  if (year === 2020) return { as: 'Årsrapport 2020', rest: 'endelig' }
  if (year === 2021 && Number(number) % 2 === 0) return { as: 'Årsrapport KS', rest: '2021 endelig' }
  return { rest: String(year) }
}

function annualReport({ kind, accounts, board }: Venture, year: number, date: Date): Line[] {
  const now = accounts.get(year)!
  const before = accounts.get(year - 1)
  const years = before ? [now, before] : [now]
  const headOf = (label: string) => head(label, ...years.map((of) => String(of.year)))
  const rowOf = (label: string, pick: (of: Accounts) => number) => row(label, ...years.map(pick))
  const totalOf = (label: string, pick: (of: Accounts) => number) => total(label, ...years.map(pick))
  return [
    `Regnskabsperiode: 1. januar – 31. december ${year}`,
    { heading: 'Ledelsesberetning' },
    `Selskabets formål er ${kind.purpose}. Selskabet har ingen ansatte.`,
    `Årets resultat blev ${surplus(now.result)}${before ? ` mod ${surplus(before.result)} året før.` : ''} ` +
      `Ledelsen anser resultatet for ${now.result < 0 ? 'mindre tilfredsstillende' : 'tilfredsstillende'}.`,
    ...(now.mwh ? [`Produktionen var ${kroner(now.mwh)} MWh i ${year}.`] : []),
    `Der er i årets løb afdraget ${kroner(now.repaid)} kr. på gælden. ${paidOutSentence(now.paidOut)}`,
    'Der er efter balancedagen ikke indtruffet forhold, som forrykker vurderingen af årsrapporten.',
    { heading: 'Ledelsespåtegning' },
    `Bestyrelsen har dags dato behandlet og godkendt årsrapporten for ${year}. Årsrapporten indstilles til ` +
      'generalforsamlingens godkendelse.',
    danish(date),
    { signatures: board.slice(0, 3) },
    { newPage: true },
    { heading: 'Resultatopgørelse' },
    headOf('Beløb i kr.'),
    ...operatingRows(years),
    rowOf('Renteudgifter', ({ interest }) => -interest),
    rowOf(kind.lifetime ? 'Afskrivninger' : 'Værdiregulering', ({ change }) => change),
    totalOf('Årets resultat', ({ result }) => result),
    { heading: 'Balance pr. 31. december' },
    headOf('Aktiver'),
    rowOf(kind.asset, ({ asset }) => asset),
    rowOf('Tilgodehavender', ({ receivables }) => receivables),
    rowOf('Likvide beholdninger', ({ bank }) => bank),
    totalOf('Aktiver i alt', ({ asset, receivables, bank }) => asset + receivables + bank),
    '',
    headOf('Passiver'),
    rowOf('Egenkapital', ({ equity }) => equity),
    rowOf('Gæld til kreditinstitutter', ({ loan }) => loan),
    rowOf('Anden gæld', ({ otherDebt }) => otherDebt),
    totalOf('Passiver i alt', ({ equity, loan, otherDebt }) => equity + loan + otherDebt),
    { heading: 'Egenkapital' },
    rowOf('Saldo 1. januar', ({ opening }) => opening.equity),
    rowOf('Årets resultat', ({ result }) => result),
    rowOf('Udloddet til kommanditisterne', ({ paidOut }) => -paidOut),
    totalOf('Saldo 31. december', ({ equity }) => equity),
  ]
}

export function paidOutSentence(amount: number): string {
  return amount === 0
    ? 'Der er ikke udloddet midler til kommanditisterne.'
    : `Der er udloddet ${kroner(amount)} kr. til kommanditisterne.`
}
