import { between } from './venture/chance.ts'
import { at } from './writing/dates.ts'
import { pdf } from './writing/pdf.ts'
import { head, row, total } from './writing/written-amounts.ts'

export type Statement = { name: string; bytes: Buffer; createdAt: Date }

/** Returns a statement of an investor's payments, distributions and balance at the end of a year. */
export function statementOf(person: { name: string; number: string }, year: number): Statement {
  const of = (least: number, most: number, what: string) =>
    between(least, most, `statement ${person.number} ${what}`) * 1000
  const [start, result] = [of(400, 2500, 'start'), of(-40, 260, String(year))]
  const paidOut = Math.max(0, Math.round(result * 0.6))
  const title = `Kapitalkonto pr. 31. december ${year}`
  return {
    name: `Kapitalkonto (${person.number}) ${year}.pdf`,
    createdAt: at(year + 1, 3, between(3, 24, `sent ${person.number} ${year}`)),
    bytes: pdf({
      title,
      from: 'Administrationen',
      reference: `Investor ${person.number}`,
      lines: [
        `Til ${person.name}`,
        'Nedenfor er din samlede kapitalkonto i de kommanditselskaber, som vi administrerer for dig.',
        head('Beløb i kr.', String(year)),
        row('Primo', start),
        row('Andel af årets resultat', result),
        row('Udloddet i året', -paidOut),
        total('Ultimo', start + result - paidOut),
      ],
    }),
  }
}
