import { danish, tuesday } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { meetingDate } from './general-meetings.ts'
import { SHARES, type Venture } from './venture/venture.ts'

export function articles({ founded, sold, number, name, kind, board }: Venture): Draft[] {
  const date = tuesday(founded, 5, 3)
  const base: Draft[] = [
    {
      rest: `Vedtaget ${danish(date)}`,
      date,
      title: `Vedtægter for ${name}`,
      lines: () => [
        { heading: '§ 1. Navn og formål' },
        `Selskabets navn er ${name}. Dets formål er ${kind.purpose}.`,
        { heading: '§ 2. Kapital og hæftelse' },
        `Stamkapitalen er opdelt i ${SHARES} andele. Kommanditisterne hæfter alene med deres indskud og resthæftelse, ` +
          'komplementaren hæfter uden begrænsning.',
        { heading: '§ 3. Generalforsamling' },
        'Ordinær generalforsamling holdes hvert år inden udgangen af maj. Den indkaldes med mindst to ugers varsel. ' +
          'Hver andel giver én stemme.',
        { heading: '§ 4. Bestyrelse' },
        'Selskabet ledes af en bestyrelse på tre medlemmer, som vælges for ét år ad gangen.',
        { heading: '§ 5. Overdragelse af andele' },
        'Overdragelse kræver bestyrelsens samtykke. De øvrige kommanditister har forkøbsret.',
        { heading: '§ 6. Regnskab' },
        'Regnskabsåret er kalenderåret. Årsrapporten revideres af en godkendt revisor.',
        `Vedtaget på den stiftende generalforsamling den ${danish(date)}.`,
        { signatures: board.slice(0, 3) },
      ],
    },
    {
      rest: `Komplementaraftale ${founded}`,
      date: tuesday(founded, 6, 2),
      title: 'Aftale med komplementaren',
      lines: () => [
        'Komplementaren hæfter for selskabets forpligtelser og modtager et årligt vederlag på 10.000 kr.',
        'Aftalen kan opsiges med seks måneders varsel til udgangen af et regnskabsår.',
      ],
    },
    {
      rest: `Forretningsorden for bestyrelsen ${founded}`,
      date: tuesday(founded, 6, 3),
      title: 'Forretningsorden for bestyrelsen',
      lines: () => [
        'Bestyrelsen holder møde mindst fire gange om året. Formanden indkalder med en uges varsel.',
        'Bestyrelsen er beslutningsdygtig, når to medlemmer er til stede. Der føres referat, som alle underskriver.',
      ],
    },
  ]
  const changes: [year: number, paragraph: string, text: string][] = [
    [founded + 4, '§ 3', 'Generalforsamlingen kan indkaldes pr. e-mail.'],
    [founded + 8, '§ 5', 'Forkøbsretten skal gøres gældende inden fire uger.'],
    [founded + 11, '§ 3', 'Generalforsamlingen kan holdes helt eller delvis elektronisk.'],
  ]
  const agreed = changes.filter(([year]) => year <= (sold ?? 2026))
  return [...base, ...agreed.map((change) => amendment(number, ...change))]
}

function amendment(number: string, year: number, paragraph: string, text: string): Draft {
  const date = meetingDate(number, year)
  return {
    rest: `Ændring af ${paragraph} - ${danish(date)}`,
    date,
    title: 'Ændring af vedtægterne',
    lines: () => [
      `På generalforsamlingen den ${danish(date)} blev følgende tilføjet vedtægternes ${paragraph}:`,
      text,
      'Ændringen trådte i kraft straks.',
    ],
  }
}
