import { between } from './venture/chance.ts'
import { pdfOfMany, type PdfText } from './writing/pdf.ts'
import { head, row, total } from './writing/written-amounts.ts'

/** Investors of the demo, some with more pages than others. */
const PEOPLE: [name: string, number: string, pages: number][] = [
  ['Søren Kjærgaard', '2001', 2],
  ['Anne Marie Holm', '2002', 1],
  ['Åse Nørregaard', '2003', 2],
  ['Poul Erik Ærtebjerg', '2004', 1],
  ['Birgitte Skov', '2005', 3],
]

/** Returns a PDF as an auditor sends it: a dozen pages for some investors, one for two of them, and two for nobody. */
export function collectedStatements(year: number): { name: string; bytes: Buffer } {
  const title = `Årsopgørelse ${year}`
  return {
    name: `Årsopgørelser ${year}.pdf`,
    bytes: pdfOfMany(`Årsopgørelser ${year}`, [
      letter('Følgebrev', 'Til kontoret', ['Vedlagt er årets opgørelser, samlet i én fil.']),
      ...PEOPLE.map(([name, number, pages]) => statement(title, name, number, pages, year)),
      letter(title, 'Fælles opgørelse', [
        'Henning Bach Lauritzen',
        '',
        'Ulla Brix',
        '',
        'ejer andelen i fællesskab.',
      ]),
      letter('Regnskabspraksis', 'Til alle', ['Opgørelserne følger samme praksis som året før.']),
    ]),
  }
}

function statement(title: string, name: string, number: string, pages: number, year: number): PdfText {
  const of = (what: string) => between(40, 900, `collected ${number} ${what}`) * 1000
  const [start, result] = [of('start'), of('result')]
  const notes = Array.from({ length: pages - 1 }, (_, index) => [
    { newPage: true as const },
    { heading: `Note ${index + 1}` },
    'Beløbene er opgjort efter samme praksis som sidste år.',
  ])
  return {
    title,
    from: 'Revision Øresund',
    reference: `Investornr. ${number}`,
    lines: [
      `Til ${name}`,
      '',
      head('Beløb i kr.', String(year)),
      row('Indskud', start),
      row('Andel af årets resultat', result),
      total('I alt', start + result),
      ...notes.flat(),
    ],
  }
}

const letter = (title: string, reference: string, lines: string[]): PdfText => ({
  title,
  from: 'Revision Øresund',
  reference,
  lines,
})
