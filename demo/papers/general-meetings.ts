import { operatingResult } from './venture/amounts.ts'
import { budgetOf } from './budgets.ts'
import { between } from './venture/chance.ts'
import { danish, daysBefore, tuesday, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { SHARES, type Venture } from './venture/venture.ts'
import { kroner, surplus } from './writing/written-amounts.ts'

export function meetingDate(number: string, year: number): Date {
  return tuesday(year, 5, number === '1024' ? 2 : between(2, 4, `meeting ${number}`))
}

export function generalMeetings(venture: Venture): Draft[] {
  return yearsDown(venture.sold ?? 2026, venture.founded + 2).flatMap((year) => {
    const date = meetingDate(venture.number, year)
    return [
      {
        rest: `Referat ${danish(date)}`,
        date,
        title: `Referat af ordinær generalforsamling ${year}`,
        lines: () => minutesOfMeeting(venture, date),
      },
      {
        rest: `Indkaldelse til ${danish(date)}`,
        date: daysBefore(date, 21),
        title: `Indkaldelse til ordinær generalforsamling ${year}`,
        lines: () => invitation(date),
      },
    ]
  })
}

const AGENDA = [
  'Valg af dirigent',
  'Bestyrelsens beretning for det forløbne år',
  'Fremlæggelse af årsrapporten til godkendelse',
  'Beslutning om udlodning',
  'Orientering om budget for indeværende år',
  'Valg af medlemmer til bestyrelsen',
  'Valg af revisor',
  'Eventuelt',
]

function invitation(date: Date): Line[] {
  return [
    'Til kommanditisterne',
    `Hermed indkaldes til ordinær generalforsamling tirsdag den ${danish(date)} kl. 16.00 i administrationens ` +
      'mødelokale.',
    { heading: 'Dagsorden' },
    ...AGENDA.map((point, index) => `${index + 1}. ${point}`),
    '',
    'Årsrapporten ligger i projektets mappe. Fuldmagt kan gives til bestyrelsens formand eller til en anden ' +
      'kommanditist. Tilmelding bedes ske senest fem dage før mødet.',
    '',
    'Med venlig hilsen',
    'Bestyrelsen',
  ]
}

function minutesOfMeeting(venture: Venture, date: Date): Line[] {
  const { accounts, board, name, number } = venture
  const year = date.getUTCFullYear()
  const [report, now] = [accounts.get(year - 1)!, accounts.get(year)!]
  const present = between(58, 91, `present ${number} ${year}`)
  const said = [
    `Bestyrelsen foreslog advokat ${board[3]}, som blev valgt. Dirigenten konstaterede, at generalforsamlingen var ` +
      `lovligt indvarslet, og at ${present} af ${SHARES} andele var repræsenteret.`,
    `Formanden, ${board[0]}, gennemgik året ${year - 1}. Beretningen blev taget til efterretning.`,
    `Årsrapporten for ${year - 1} udviser ${surplus(report.result)} og en egenkapital på ${kroner(report.equity)} kr. ` +
      'Årsrapporten blev godkendt.',
    now.paidOut === 0
      ? 'Det blev besluttet ikke at udlodde midler i år.'
      : `Det blev besluttet at udlodde ${kroner(now.paidOut)} kr., svarende til ${kroner(now.paidOut / SHARES)} kr. pr. andel.`,
    `Budgettet for ${year} viser et resultat før renter på ${kroner(operatingResult(budgetOf(venture, year)))} kr.`,
    `${board[0]}, ${board[1]} og ${board[2]} blev genvalgt.`,
    'Revisor blev genvalgt.',
    'Der var intet under dette punkt. Dirigenten takkede for god ro og orden.',
  ]
  return [
    `Tirsdag den ${danish(date)} kl. 16.00 afholdtes ordinær generalforsamling i ${name}.`,
    ...AGENDA.flatMap((point, index): Line[] => [{ heading: `${index + 1}. ${point}` }, said[index]!]),
    { signatures: [`Dirigent ${board[3]}`, `Formand ${board[0]}`] },
  ]
}
