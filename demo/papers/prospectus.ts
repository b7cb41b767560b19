import { budgetOf } from './budgets.ts'
import { at } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Line } from './writing/pdf.ts'
import { SHARES, type Venture } from './venture/venture.ts'
import { head, kroner, operatingRows, row, total } from './writing/written-amounts.ts'

export function prospectus(venture: Venture): Draft[] {
  const { founded, accounts, kind, name } = venture
  const first = accounts.get(founded + 1)!
  const { equity, loan } = first.opening
  const cost = first.asset - first.change
  const share = kroner(equity / SHARES)
  const years = [1, 2, 3].map((step) => founded + step)
  const papers: [name: string, lines: Line[], title?: string][] = [
    [
      'Prospekt',
      [
        `${name} udbydes i ${SHARES} andele. Selskabets formål er ${kind.purpose}.`,
        { heading: 'Investering og finansiering' },
        head('Beløb i kr.', 'I alt'),
        row(kind.asset, cost),
        row('Likvid reserve', equity + loan - cost),
        total('Investering i alt', equity + loan),
        '',
        row('Lån', loan),
        row(`Indskud, ${SHARES} andele à ${share} kr.`, equity),
        total('Finansiering i alt', equity + loan),
      ],
    ],
    [
      'Tegningsaftale',
      [
        `Undertegnede tegner herved ____ andel(e) à ${share} kr. i ${name}.`,
        'Indskuddet betales senest 14 dage efter påkrav. Tegningen er bindende, når fuldtegning er opnået.',
        { signatures: ['Dato', 'Underskrift', 'CPR- eller CVR-nr.'] },
      ],
    ],
    [
      'Investeringsbudget',
      [
        head('Beløb i kr.', ...years.map(String)),
        ...operatingRows(years.map((year) => budgetOf(venture, year))),
      ],
      'Budget for de første år',
    ],
    [
      'Risikofaktorer',
      [
        'Investering i andele er forbundet med risiko. Hele indskuddet og resthæftelsen kan gå tabt.',
        `De vigtigste forhold er renten, udviklingen i værdien af ${kind.object} og aftaleparternes betalingsevne.`,
        'Andelene er ikke noteret, og det kan være vanskeligt at sælge dem.',
      ],
    ],
    [
      'Skattemæssige forhold',
      [
        'Selskabet er skattemæssigt transparent. Hver kommanditist beskattes af sin andel af resultatet.',
        'Fradraget er begrænset af indskud og resthæftelse. Kommanditisten bør rådføre sig med egen rådgiver.',
      ],
    ],
    [
      'Informationsmøde',
      [
        'Projektet præsenteres på et møde hos administrationen, hvor der er lejlighed til at stille spørgsmål.',
      ],
      'Indbydelse til informationsmøde',
    ],
  ]
  return papers.map(([paper, lines, title = paper], index) => ({
    rest: `${paper} ${founded}`,
    date: at(founded, 2 + (index % 2), 3 + index * 4),
    title,
    lines: () => lines,
  }))
}
