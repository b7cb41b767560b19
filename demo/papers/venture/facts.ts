import { KINDS } from './kinds.ts'

/** The facts about a project that its papers are made from. */
export type Facts = {
  kind: keyof typeof KINDS
  founded: number
  sold?: number
  /** The year in which the sale was decided. */
  closing?: number
  /** The yearly rent of one m², hectare or day, in kroner. */
  rate: number
  /** Who pays us (or whom we pay), for what, and the first and last year. File names use the short name. */
  leases: [short: string, full: string, what: string, size: number, from: number, to?: number][]
  /** The yearly production. */
  mwh?: number
}

/** The facts by project number. */
export const FACTS: Record<string, Facts> = {
  '1024': {
    kind: 'property',
    founded: 2011,
    rate: 1285,
    leases: [
      ['Halvorsen Arkitekter', 'Halvorsen Arkitekter ApS', '5. sal', 640, 2012],
      ['Lindegaard & Partnere', 'Advokatfirmaet Lindegaard & Partnere', '4. sal', 720, 2012],
      ['Kaffebaren Kaj 7', 'Kaffebaren Kaj 7 ApS', 'stuen tv.', 145, 2013],
      ['Nautisk Data', 'Nautisk Data A/S', '3. sal th.', 410, 2013, 2019],
      ['Øresund Skibsmæglere', 'Øresund Skibsmæglere A/S', '3. sal tv.', 380, 2014],
      ['Tandlægerne på Molen', 'Tandlægerne på Molen I/S', '1. sal tv.', 260, 2015],
      ['Brygge Fysioterapi', 'Brygge Fysioterapi ApS', '1. sal th.', 230, 2016, 2022],
      ['Grønbech Revision', 'Grønbech Revision ApS', '2. sal tv.', 390, 2017],
      ['Æblehaven Reklame', 'Æblehaven Reklame ApS', '2. sal th.', 350, 2019],
      ['Pixelværket', 'Pixelværket ApS', '3. sal th.', 410, 2021],
      ['Cykelhjørnet', 'Cykelhjørnet v/ Åge Brask', 'stuen th.', 120, 2022],
      ['Fjord Rekruttering', 'Fjord Rekruttering ApS', '1. sal th.', 230, 2024],
    ],
  },
  '1031': {
    kind: 'wind',
    founded: 2015,
    rate: 42_000,
    mwh: 61_500,
    leases: [
      ['Lodsejer matr.nr. 4a', 'ejeren af matr.nr. 4a, Nørrekær', 'areal til mølle 1–3', 9, 2016],
      ['Lodsejer matr.nr. 7c', 'ejeren af matr.nr. 7c, Nørrekær', 'areal til mølle 4–5', 6, 2016],
      ['Lodsejer matr.nr. 11', 'ejeren af matr.nr. 11, Nørrekær', 'adgangsvej og kabel', 2, 2016],
    ],
  },
  '1042': {
    kind: 'homes',
    founded: 2012,
    rate: 1180,
    leases: [
      ['Forhuset', 'lejerne i forhuset', '20 boliger', 1640, 2013],
      ['Baghuset', 'lejerne i baghuset', '14 boliger', 980, 2013],
      ['Butik i stuen', 'Ostehjørnet ved Fælleden ApS', 'butik i stuen', 120, 2014],
    ],
  },
  '1058': {
    kind: 'property',
    founded: 2016,
    rate: 485,
    leases: [
      ['Trekantens Transport', 'Trekantens Transport A/S', 'hal 1', 14_200, 2017],
      ['Bælt Kølelager', 'Bælt Kølelager A/S', 'hal 2', 6800, 2018],
    ],
  },
  '1063': {
    kind: 'homes',
    founded: 2014,
    rate: 1240,
    leases: [
      ['Opgang A', 'lejerne i opgang A', '16 boliger', 1310, 2015],
      ['Opgang B', 'lejerne i opgang B', '16 boliger', 1310, 2015],
      ['Opgang C', 'lejerne i opgang C', '12 boliger', 1020, 2016],
      ['Café Åhaven', 'Café Åhaven ApS', 'café i stuen', 165, 2017],
    ],
  },
  '1077': {
    kind: 'ship',
    founded: 2011,
    closing: 2026,
    rate: 68_000,
    leases: [
      ['Nordlys Tank', 'Nordlys Tank AS', 'M/T Ærø', 365, 2012, 2016],
      ['Bottensjö Oil', 'Bottensjö Oil AB', 'M/T Ærø', 365, 2017, 2021],
      ['Kattegat Bunkers', 'Kattegat Bunkers A/S', 'M/T Ærø', 365, 2022],
    ],
  },
  '1085': {
    kind: 'hotel',
    founded: 2014,
    rate: 1420,
    leases: [['Grenen Hoteldrift', 'Grenen Hoteldrift A/S', 'hotel med 86 værelser', 5150, 2015]],
  },
  '1090': {
    kind: 'solar',
    founded: 2019,
    rate: 7200,
    mwh: 38_400,
    leases: [
      ['Lodsejer matr.nr. 2b', 'ejeren af matr.nr. 2b, Rødby', 'mark syd for banen', 24, 2020],
      ['Lodsejer matr.nr. 15', 'ejeren af matr.nr. 15, Rødby', 'mark nord for banen', 17, 2020],
    ],
  },
  '1102': {
    kind: 'property',
    founded: 2011,
    sold: 2021,
    rate: 960,
    leases: [
      ['Dagligvarer Ølby', 'Dagligvarer Ølby A/S', 'butik 1', 2100, 2012],
      ['Skotøjshjørnet', 'Skotøjshjørnet ApS', 'butik 2', 310, 2012],
      ['Apoteket', 'Apoteket i Ølby I/S', 'butik 3', 260, 2012],
    ],
  },
  '1116': {
    kind: 'homes',
    founded: 2016,
    rate: 990,
    leases: [
      ['Blok 1', 'lejerne i blok 1', '18 boliger', 1480, 2017],
      ['Blok 2', 'lejerne i blok 2', '18 boliger', 1480, 2017],
    ],
  },
  '1121': {
    kind: 'property',
    founded: 2013,
    closing: 2026,
    rate: 890,
    leases: [
      ['Byg og Have Midt', 'Byg og Have Midt A/S', 'butik A', 3400, 2014],
      ['Heden Møbler', 'Heden Møbler A/S', 'butik B', 2250, 2014],
      ['Dyrenes Hus', 'Dyrenes Hus ApS', 'butik C', 640, 2016],
    ],
  },
  '1134': {
    kind: 'property',
    founded: 2018,
    rate: 1350,
    leases: [
      ['Brasserie Tolv', 'Brasserie Tolv ApS', 'stuen', 290, 2019],
      ['Midtjysk Tegnestue', 'Midtjysk Tegnestue ApS', '1. og 2. sal', 520, 2019],
    ],
  },
  '987': {
    kind: 'ship',
    founded: 2011,
    sold: 2018,
    rate: 74_000,
    leases: [['Sund Linjefart', 'Sund Linjefart A/S', 'M/V Zealand', 365, 2012]],
  },
  '2014': {
    kind: 'wind',
    founded: 2014,
    rate: 36_000,
    mwh: 24_800,
    leases: [
      ['Lodsejer matr.nr. 3d', 'ejeren af matr.nr. 3d, Samsø', 'areal til mølle 1', 3, 2015],
      ['Lodsejer matr.nr. 3e', 'ejeren af matr.nr. 3e, Samsø', 'areal til mølle 2', 3, 2015],
    ],
  },
}

/** Guesses the facts of a project that the table does not have. */
export function guessedFacts(name: string): Facts {
  const guesses: [RegExp, Facts['kind']][] = [
    [/vind/i, 'wind'],
    [/sol/i, 'solar'],
    [/skib/i, 'ship'],
    [/hotel/i, 'hotel'],
    [/bolig/i, 'homes'],
  ]
  const kind = guesses.find(([word]) => word.test(name))?.[1] ?? 'property'
  const [size, rate] =
    kind === 'ship' ? [365, 60_000] : KINDS[kind].contract.unit === 'ha' ? [12, 30_000] : [4000, 1000]
  return {
    kind,
    founded: 2018,
    rate,
    mwh: 30_000,
    leases: [['Hovedaftale', 'aftalens anden part', 'hele arealet', size, 2019]],
  }
}
