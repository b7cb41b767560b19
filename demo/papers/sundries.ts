import { between } from './venture/chance.ts'
import { at } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Venture } from './venture/venture.ts'

type Letter = [rest: string, year: number, month: number, title: string, text: string]

export function sundries({ founded, sold, closing, kind, number }: Venture): Draft[] {
  const letters: Letter[] = [
    [
      'Kontaktoplysninger 2025',
      2025,
      1,
      'Kontaktoplysninger',
      'Administrationen træffes på hverdage kl. 9–15. Uden for åbningstid henvises til vagttelefonen.',
    ],
    [
      'Brev til investorerne april 2020',
      2020,
      4,
      'Til investorerne',
      'Administrationen arbejder hjemmefra indtil videre. Driften fortsætter, og betalingerne er indgået som normalt.',
    ],
    [
      'Gennemgang på stedet 2023',
      2023,
      9,
      'Notat om gennemgang på stedet',
      `Administrationen har gennemgået ${kind.object} sammen med teknisk rådgiver. Standen er god, og der er ingen akutte mangler.`,
    ],
    [
      'Orientering om nyt digitalt arkiv',
      2024,
      8,
      'Nyt digitalt arkiv',
      'Projektets dokumenter findes fremover digitalt. Papirarkivet bevares i fem år.',
    ],
    [
      `Åbningsbrev ${founded}`,
      founded,
      11,
      'Velkommen som kommanditist',
      `Selskabet er fuldtegnet, og ${kind.object} overtages ved årsskiftet.`,
    ],
  ]
  if (sold) {
    letters.unshift([
      `Meddelelse om salg ${sold}`,
      sold,
      9,
      `Salg af ${kind.object}`,
      `Bestyrelsen har solgt ${kind.object}. Provenuet udloddes, når lånet er indfriet, og selskabet afvikles derefter.`,
    ])
  }
  if (closing) {
    letters.unshift([
      `Plan for afvikling ${closing}`,
      closing,
      6,
      'Plan for afvikling',
      `Generalforsamlingen har besluttet, at ${kind.object} sættes til salg. Driften fortsætter uændret, indtil salget er gennemført.`,
    ])
  }
  return [...letters, ...(number === '1024' ? LETTERS_1024 : [])]
    .filter(([, year]) => founded <= year && year <= (sold ?? 2026))
    .map(([rest, year, month, title, text]) => ({
      rest,
      date: at(year, month, between(2, 24, `letter ${number} ${rest}`)),
      title,
      lines: () => [text, '', 'Administrationen'],
    }))
}

// Names that are hard on addresses, headers and narrow columns.
const LETTERS_1024: Letter[] = [
  [
    '100% #1 + bilag?',
    2024,
    3,
    '100% #1 + bilag?',
    'Filen har beholdt det navn, den havde, da den kom fra entreprenøren.',
  ],
  [
    'Tilbud på facade (rev. 2) & "ekstra" – Bjørn\'s kopi',
    2023,
    5,
    'Tilbud på facaderenovering',
    'Tilbuddet omfatter afrensning og fugning af facaden mod havnen og gælder i 30 dage.',
  ],
  [
    'Referat af møde med kommunen, havnen, naboejendommens ejerforening og rådgiverne om adgangsvej, cykelparkering, ' +
      'affald og snerydning vinteren 2025',
    2025,
    10,
    'Referat af møde om adgangsveje',
    'Der var enighed om, at adgangsvejen ryddes af kommunen, og at cykelparkeringen flyttes til gavlen.',
  ],
]
