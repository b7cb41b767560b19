import { between } from './venture/chance.ts'
import { at } from './writing/dates.ts'
import { pdf } from './writing/pdf.ts'
import { head, row, total } from './writing/written-amounts.ts'

export type Letter = { name: string; bytes: Buffer; createdAt: Date }

type Person = { name: string; number: string }

type Text = { name: string; title: string; createdAt: Date; lines: string[] }

const TEXTS = {
  proxy: {
    name: 'Fuldmagt til generalforsamling 2026.pdf',
    title: 'Fuldmagt',
    createdAt: at(2026, 4, 14, 17, 12),
    lines: [
      'Jeg er forhindret i at deltage i dette års ordinære generalforsamlinger.',
      'Jeg giver hermed bestyrelsens formand fuldmagt til at stemme på mine vegne om alle punkter på dagsordenen.',
      'Fuldmagten gælder til og med den 31. december 2026.',
    ],
  },
  bank: {
    name: 'Nye bankoplysninger.pdf',
    title: 'Nye bankoplysninger',
    createdAt: at(2026, 10, 28, 18, 40),
    lines: [
      'Jeg har skiftet bank. Fremtidige udlodninger bedes overført til min nye konto fra den 1. december 2026.',
      'Kontonummeret oplyser jeg gerne telefonisk, så I kan se, at det er mig, der beder om det.',
    ],
  },
  address: {
    name: 'Adresseændring.pdf',
    title: 'Adresseændring',
    createdAt: at(2026, 11, 3, 9, 5),
    lines: [
      'Jeg flytter den 1. december 2026 og beder jer rette min adresse i jeres register.',
      'Den nye adresse er Strandvejen 114, 2. tv., 5500 Middelfart. Telefonnummer og e-mail er de samme.',
    ],
  },
  question: {
    name: 'Spørgsmål til årsrapporten 2025.pdf',
    title: 'Spørgsmål til årsrapporten for 2025',
    createdAt: at(2026, 6, 9, 20, 31),
    lines: [
      'Tak for årsrapporten. Jeg har to spørgsmål, som jeg håber, I kan svare på inden generalforsamlingen.',
      'Hvorfor er udgifterne til vedligeholdelse steget så meget i forhold til året før?',
      'Forventer I, at der kan udloddes et beløb i efteråret?',
    ],
  },
} satisfies Record<string, Text>

export type LetterKind = keyof typeof TEXTS

/** Returns a letter from an investor to the office. */
export function letterFrom(person: Person, kind: LetterKind): Letter {
  const { name, title, createdAt, lines } = TEXTS[kind]
  return {
    name,
    createdAt,
    bytes: pdf({
      title,
      from: person.name,
      reference: `Investor ${person.number}`,
      lines: ['Til administrationen', ...lines, 'Med venlig hilsen', person.name],
    }),
  }
}

/** Returns the office's letter to an investor about a payment on its way. */
export function distributionTo(person: Person): Letter {
  const amount = between(18, 90, `distribution ${person.number}`) * 500
  return {
    name: `Udlodning (${person.number}) efterår 2026.pdf`,
    createdAt: at(2026, 11, 4, 13, 20),
    bytes: pdf({
      title: 'Udlodning efterår 2026',
      from: 'Administrationen',
      reference: `Investor ${person.number}`,
      lines: [
        `Til ${person.name}`,
        'Vi overfører nedenstående beløb til din konto senest den 20. november 2026.',
        head('Beløb i kr.', '2026'),
        row('1. halvår', amount),
        row('3. kvartal', amount / 2),
        total('Til udbetaling', amount * 1.5),
      ],
    }),
  }
}
