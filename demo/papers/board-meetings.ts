import { operatingResult, sum } from './venture/amounts.ts'
import { paidOutSentence } from './annual-reports.ts'
import { budgetOf } from './budgets.ts'
import { danish, tuesday, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { incomeUntil } from './quarterly-reports.ts'
import type { Venture } from './venture/venture.ts'
import { kroner, surplus } from './writing/written-amounts.ts'

export function boardMeetings(venture: Venture): Draft[] {
  return yearsDown(venture.sold ?? 2026, venture.founded + 1).flatMap((year) =>
    (year === venture.sold ? [3, 2, 1] : [4, 3, 2, 1]).map((quarter) => {
      const date = tuesday(year, quarter * 3, quarter === 4 ? 1 : 2)
      const count = (year - venture.founded - 1) * 4 + quarter
      return {
        rest: `Referat nr. ${count} - ${danish(date)}`,
        date,
        title: `Referat af bestyrelsesmøde nr. ${count}`,
        lines: () => minutesOfBoard(venture, date, quarter),
      }
    }),
  )
}

function minutesOfBoard(venture: Venture, date: Date, quarter: number): Line[] {
  const { accounts, board, founded, kind } = venture
  const year = date.getUTCFullYear()
  const now = accounts.get(year)!
  const halfYear = sum(incomeUntil(venture, now, 2))
  const planned = operatingResult(budgetOf(venture, year + 1))
  const subjects: [string, string][] = [
    year === founded + 1
      ? ['Opstart', `Administrationen orienterede om overtagelsen af ${kind.object}.`]
      : [
          `Årsrapport ${year - 1}`,
          `Udkastet viser ${surplus(accounts.get(year - 1)!.result)} Revisor gennemgik udkastet.`,
        ],
    ['Opfølgning på generalforsamlingen', paidOutSentence(now.paidOut)],
    ['Halvåret', `Indtægterne i første halvår blev ${kroner(halfYear)} kr. Udviklingen er som ventet.`],
    [
      `Budget ${year + 1}`,
      `Bestyrelsen godkendte budgettet med et resultat før renter på ${kroner(planned)} kr.`,
    ],
  ]
  const [subject, text] = subjects[quarter - 1]!
  return [
    `Afholdt tirsdag den ${danish(date)} kl. 14.00 hos administrationen.`,
    `Til stede: ${board[0]} (formand), ${board[1]}, ${board[2]} samt administrationen.`,
    { heading: '1. Godkendelse af seneste referat' },
    'Referatet blev godkendt og underskrevet.',
    { heading: `2. ${subject}` },
    text,
    { heading: '3. Drift og vedligeholdelse' },
    `Administrationen gennemgik driften af ${kind.object}. Der er ingen væsentlige udeståender.`,
    { heading: '4. Finansiering' },
    `Restgælden ved årets begyndelse var ${kroner(now.opening.loan)} kr.`,
    { heading: '5. Eventuelt' },
    'Intet at bemærke. Næste møde holdes efter mødeplanen.',
    { signatures: board.slice(0, 3) },
  ]
}
