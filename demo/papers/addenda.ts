import { at, danish } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import type { Venture } from './venture/venture.ts'

// Changes that were agreed later; none of them changes the rent.
const ADDENDA_1024: [lease: string, year: number, subject: string, text: string][] = [
  ['Halvorsen Arkitekter', 2014, 'tagterrasse', 'Lejer får brugsret til den nordlige del af tagterrassen.'],
  ['Halvorsen Arkitekter', 2017, 'forlængelse', 'Uopsigelighedsperioden forlænges med fem år.'],
  ['Halvorsen Arkitekter', 2022, 'ny forlængelse', 'Uopsigelighedsperioden forlænges med yderligere fem år.'],
  ['Lindegaard & Partnere', 2013, 'arkivrum', 'Lejer får brugsret til arkivrum 2 i kælderen.'],
  ['Lindegaard & Partnere', 2018, 'ombygning', 'Lejer må for egen regning opsætte tre lette skillevægge.'],
  ['Lindegaard & Partnere', 2025, 'ladestandere', 'Lejer må for egen regning opsætte to ladestandere.'],
  ['Kaffebaren Kaj 7', 2015, 'udeservering', 'Lejer må have borde og stole på kajen fra april til oktober.'],
  ['Kaffebaren Kaj 7', 2020, 'henstand', 'Lejer får tre måneders henstand med lejen for 4. kvartal.'],
  ['Nautisk Data', 2016, 'serverrum', 'Lejer må for egen regning indrette køling i serverrummet.'],
  ['Øresund Skibsmæglere', 2019, 'forlængelse', 'Uopsigelighedsperioden forlænges med fem år.'],
  ['Tandlægerne på Molen', 2016, 'skiltning', 'Lejer må opsætte et skilt ved hovedindgangen.'],
  ['Grønbech Revision', 2021, 'navneændring', 'Lejers bifirma tilføjes kontrakten.'],
  ['Æblehaven Reklame', 2023, 'fremleje', 'Lejer må fremleje op til fire arbejdspladser.'],
]

export function addenda({ number, leases, name }: Venture): Draft[] {
  if (number !== '1024') return []
  return ADDENDA_1024.map(([short, year, subject, text], index) => {
    const count = ADDENDA_1024.slice(0, index + 1).filter(([of]) => of === short).length
    const date = at(year, 2 + (index % 8), 5 + index)
    const lease = leases.find((of) => of.short === short)!
    return {
      rest: `${short} - allonge ${count} ${subject} ${year}`,
      date,
      title: `Allonge ${count}: ${short}`,
      lines: () => [
        `Tillæg til lejekontrakt af ${lease.from - 1} mellem ${name} (udlejer) og ${lease.full} (lejer) vedrørende ${lease.what}.`,
        { heading: `Vedrørende ${subject}` },
        text,
        'Lejekontraktens øvrige vilkår er uændrede.',
        danish(date),
        { signatures: ['For udlejer', 'For lejer'] },
      ],
    }
  })
}
