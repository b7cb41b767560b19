import { crc32, deflateSync } from 'node:zlib'
import { formatMoney } from '../src/base/money.ts'
import { pdf, type Line } from './pdf.ts'

export type Paper = { folder: string; name: string; bytes: Buffer; createdAt: Date }

export type PaperProject = { number: string; name: string; folders: string[] }

/** The papers of a project, folder by folder, the newest first in each. The same every time. */
export function papersFor(project: PaperProject): Paper[] {
  const venture = ventureOf(project)
  return project.folders.flatMap((folder) => {
    const drafts = (MAKERS[folder]?.(venture) ?? []).filter(({ date }) => date <= LATEST)
    const kept = drafts
      .slice(0, limitOf(project.number, folder))
      .map((draft) => finish(venture, folder, draft))
    const others = folder === 'Diverse' ? (OTHER_FILES[project.number] ?? []) : []
    return [...kept, ...others.map((make) => ({ folder, ...make() }))].sort(newestFirst)
  })
}

// The office's today is in November 2026, and what is written is put into its folder within the week.
const LATEST = at(2026, 11, 2)
const LAST_REPORT = 2025

/** A paper before it is made; a maker gives those that an office keeps longest first. */
type Draft = {
  /** What follows the parenthesis of the file name. */
  rest: string
  date: Date
  title: string
  lines: () => Line[]
  /** A sub name of the folder. */
  as?: string
}

function finish({ number, name }: Venture, folder: string, draft: Draft): Paper {
  const { rest, date, title, lines, as = folder } = draft
  const fileName = `${as} (${number}) ${rest}.pdf`
  const bytes = pdf({ title, from: name, reference: `Projekt ${number}`, lines: lines() })
  return { folder, name: fileName, bytes, createdAt: uploadedAt(date, fileName) }
}

function newestFirst(a: Paper, b: Paper): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1)
}

const LIMITS_1024: Record<string, number> = {
  Årsrapport: 12,
  Kvartalsrapport: 11,
  Budget: 9,
  Generalforsamling: 12,
  Bestyrelsesmøder: 11,
  Finansiering: 10,
  Forsikring: 9,
  Vurderinger: 0, // the demo's empty folder
  Skatteoplysninger: 12,
}

function limitOf(number: string, folder: string): number {
  if (number === '1024') return LIMITS_1024[folder] ?? Infinity
  return Math.max(folder === 'Årsrapport' ? 3 : 0, between(-2, 6, `limit ${number} ${folder}`))
}

// --- What the projects are -------------------------------------------------------------------------------------

type Kind = {
  purpose: string
  /** As the balance sheet calls it. */
  asset: string
  /** In a sentence. */
  object: string
  income: string
  costs: [label: string, shareOfIncome: number][]
  /** What the asset cost, in years of income. */
  multiple: number
  loanYears: number
  /** Years of use. Without, it is valued anew each year. */
  lifetime?: number
  insurance: string
  /** Its contracts: their name, our part in them, the other's, the amount, what it is counted in, how it changes. */
  contract: { name: string; we: string; they: string; rent: string; unit: string; indexed: boolean }
  /** Contracts that cost instead of giving. */
  paysRent?: true
  seasons: [number, number, number, number]
}

const EVEN: Kind['seasons'] = [0.25, 0.25, 0.25, 0.25]

const PROPERTY: Kind = {
  purpose: 'at eje og udleje fast ejendom',
  asset: 'Investeringsejendom',
  object: 'ejendommen',
  income: 'Lejeindtægter',
  costs: [
    ['Ejendomsskatter og afgifter', 0.055],
    ['Forsikring', 0.015],
    ['Vedligeholdelse', 0.07],
    ['Administration', 0.035],
    ['Revision og advokat', 0.012],
  ],
  multiple: 13.5,
  loanYears: 30,
  insurance: 'Bygnings- og huslejetabsforsikring',
  contract: {
    name: 'lejekontrakt',
    we: 'udlejer',
    they: 'lejer',
    rent: 'Årlig leje',
    unit: 'm²',
    indexed: true,
  },
  seasons: EVEN,
}

const WIND: Kind = {
  purpose: 'at eje og drive vindmøller og sælge den producerede el',
  asset: 'Vindmøller',
  object: 'møllerne',
  income: 'Salg af el',
  costs: [
    ['Service og reparation', 0.17],
    ['Forsikring', 0.03],
    ['Nettilslutning og balancering', 0.05],
    ['Administration', 0.03],
    ['Revision og advokat', 0.01],
  ],
  multiple: 8.5,
  loanYears: 16,
  lifetime: 25,
  insurance: 'All risk- og driftstabsforsikring',
  contract: {
    name: 'forpagtningsaftale',
    we: 'forpagter',
    they: 'bortforpagter',
    rent: 'Årlig forpagtningsafgift',
    unit: 'ha',
    indexed: true,
  },
  paysRent: true,
  seasons: [0.31, 0.21, 0.19, 0.29],
}

const KINDS = {
  property: PROPERTY,
  homes: {
    ...PROPERTY,
    purpose: 'at eje og udleje boliger',
    costs: [
      ['Ejendomsskatter og afgifter', 0.06],
      ['Forsikring', 0.018],
      ['Vedligeholdelse og istandsættelse', 0.1],
      ['Administration og vicevært', 0.06],
      ['Revision og advokat', 0.012],
    ],
    multiple: 15,
  },
  hotel: {
    ...PROPERTY,
    purpose: 'at eje en hotelejendom og bortforpagte den til en operatør',
    asset: 'Hotelejendom',
    object: 'hotellet',
    income: 'Forpagtningsafgift',
    contract: {
      name: 'forpagtningsaftale',
      we: 'bortforpagter',
      they: 'forpagter',
      rent: 'Årlig forpagtningsafgift',
      unit: 'm²',
      indexed: true,
    },
    seasons: [0.14, 0.27, 0.4, 0.19],
  },
  wind: WIND,
  solar: {
    ...WIND,
    purpose: 'at eje og drive et solcelleanlæg og sælge den producerede el',
    asset: 'Solcelleanlæg',
    object: 'anlægget',
    seasons: [0.13, 0.39, 0.36, 0.12],
  },
  ship: {
    ...PROPERTY,
    purpose: 'at eje og bortfragte skib',
    asset: 'Skib',
    object: 'skibet',
    income: 'Charterhyre',
    costs: [
      ['Besætning', 0.27],
      ['Teknisk drift og dokning', 0.16],
      ['Forsikring', 0.035],
      ['Administration', 0.03],
      ['Revision og advokat', 0.01],
    ],
    multiple: 5,
    loanYears: 16,
    lifetime: 25,
    insurance: 'Kasko- og ansvarsforsikring (P&I)',
    contract: {
      name: 'certeparti',
      we: 'bortfragter',
      they: 'befragter',
      rent: 'Årlig hyre',
      unit: 'dage',
      indexed: false,
    },
  },
} satisfies Record<string, Kind>

/** Who pays us (or whom we pay) for what, in the years from and to, both included. */
type Lease = {
  /** In file names, which take no slash. */
  short: string
  full: string
  what: string
  size: number
  from: number
  to?: number
}

type Facts = {
  kind: keyof typeof KINDS
  founded: number
  /** The year in which it was sold, or in which it was decided to sell. */
  sold?: number
  closing?: number
  /** Yearly rent of one m², hectare or day, in kroner. */
  rate: number
  leases: [short: string, full: string, what: string, size: number, from: number, to?: number][]
  /** Yearly production. */
  mwh?: number
}

const FACTS: Record<string, Facts> = {
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

/** What is believed of a project that the table does not know. */
function guessedFacts(name: string): Facts {
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

type Venture = {
  number: string
  name: string
  founded: number
  sold: number | null
  closing: number | null
  kind: Kind
  rate: number
  leases: Lease[]
  board: string[]
  accounts: Map<number, Accounts>
}

function ventureOf({ number, name }: { number: string; name: string }): Venture {
  const facts = FACTS[number] ?? guessedFacts(name)
  const kind: Kind = KINDS[facts.kind]
  const leases = facts.leases.map(([short, full, what, size, from, to]) => ({
    short,
    full,
    what,
    size,
    from,
    ...(to && { to }),
  }))
  const { founded, rate, sold = null, closing = null } = facts
  const first = between(0, PEOPLE.length - 1, `board ${number}`)
  const board = [0, 1, 2, 3].map((step) => PEOPLE[(first + step * 3) % PEOPLE.length]!)
  const accounts = accountsFrom({ number, founded, kind, rate, leases, mwh: facts.mwh ?? 0 })
  return { number, name, founded, sold, closing, kind, rate, leases, board, accounts }
}

const PEOPLE = [
  'Jens Holck',
  'Marie Vang',
  'Peter Stausholm',
  'Karin Lydolph',
  'Asger Tolstrup',
  'Dorthe Winge',
  'Henrik Balle',
  'Charlotte Bøgh',
  'Esben Krag',
  'Lise Åkjær',
  'André Sørbye',
]

// --- Figures ---------------------------------------------------------------------------------------------------

type Item = [label: string, amount: number]

/** A year in whole kroner. Costs and interest are positive. */
export type Accounts = {
  year: number
  mwh: number
  income: Item[]
  costs: Item[]
  gross: number
  spent: number
  operating: number
  interest: number
  /** What the asset gained or lost. */
  change: number
  result: number
  repaid: number
  paidOut: number
  opening: { equity: number; loan: number }
  asset: number
  receivables: number
  bank: number
  equity: number
  loan: number
  otherDebt: number
}

/** Every year of a project, until 2027, which is budgeted. */
export function accountsOf(project: { number: string; name: string }): Accounts[] {
  return [...ventureOf(project).accounts.values()]
}

const SHARES = 100

type Basis = Pick<Venture, 'number' | 'founded' | 'kind' | 'rate' | 'leases'> & { mwh: number }

function accountsFrom(basis: Basis): Map<number, Accounts> {
  const { kind, founded } = basis
  const normal = kind.paysRent ? basis.mwh * 480 : rentIn(basis, founded + 4)
  const cost = roundTo(normal * kind.multiple, 100_000)
  const reserve = roundTo(cost * 0.02, 10_000)
  const loan = roundTo(cost * 0.6, 100_000)
  const accounts = new Map<number, Accounts>()
  let before = { asset: cost, equity: cost - loan + reserve, loan }
  for (let year = founded + 1; year <= 2027; year++) {
    const now = yearOf(basis, year, { normal, cost, reserve }, before)
    accounts.set(year, now)
    before = now
  }
  return accounts
}

function yearOf(
  basis: Basis,
  year: number,
  { normal, cost, reserve }: { normal: number; cost: number; reserve: number },
  before: { asset: number; equity: number; loan: number },
): Accounts {
  const { kind, number } = basis
  const mwh = Math.round(basis.mwh * (0.92 + 0.16 * chance(`wind ${number} ${year}`)))
  const income = kind.paysRent ? powerIncome(mwh, year) : rentIncome(basis, year)
  const costs = costsIn(basis, year, normal)
  const gross = sum(income)
  const spent = sum(costs)
  const operating = gross - spent
  const interest = Math.round((before.loan * INTEREST[year]!) / 10_000)
  const change = kind.lifetime
    ? -Math.min(before.asset, Math.round(cost / kind.lifetime))
    : roundTo(cost * (0.03 * chance(`value ${number} ${year}`) - 0.008), 10_000)
  const result = operating - interest + change
  const asset = before.asset + change
  const receivables = Math.round(gross * 0.04)
  const otherDebt = Math.round(spent * 0.09)
  // What is in the bank when nothing is paid to anybody: the creditor comes first, then the partners.
  const atHand = before.equity + result + before.loan + otherDebt - asset - receivables
  const due = Math.min(before.loan, roundTo((cost * 0.6) / kind.loanYears, 1000))
  const repaid = Math.max(0, Math.min(due, roundDown(atHand, 1000)))
  const paidOut = Math.max(0, roundDown(atHand - repaid - reserve, 100_000))
  return {
    year,
    mwh,
    income,
    costs,
    gross,
    spent,
    operating,
    interest,
    change,
    result,
    repaid,
    paidOut,
    opening: { equity: before.equity, loan: before.loan },
    asset,
    receivables,
    bank: atHand - repaid - paidOut,
    equity: before.equity + result - paidOut,
    loan: before.loan - repaid,
    otherDebt,
  }
}

// From 2012 on: kroner for a MWh, how rents rise in thousandths, and interest in hundredths of a percent.
const PRICES = [290, 300, 240, 180, 205, 235, 330, 295, 200, 620, 1350, 640, 520, 540, 510, 500]
const RISES = [10, 8, 6, 5, 3, 11, 8, 8, 5, 6, 24, 40, 21, 17, 20, 20]
const RATES = [310, 280, 260, 220, 200, 190, 180, 160, 150, 140, 210, 410, 420, 350, 330, 330]

const INTEREST = byYear(RATES)
const PRICE = byYear(PRICES)
const RISE = byYear(RISES)

function byYear(values: number[]): Record<number, number> {
  return Object.fromEntries(values.map((value, index) => [2012 + index, value]))
}

function powerIncome(mwh: number, year: number): Item[] {
  return [
    ['Salg af el', mwh * PRICE[year]!],
    ['Pristillæg', mwh * premiumIn(year)],
  ]
}

function premiumIn(year: number): number {
  return Math.min(250, Math.max(0, 580 - PRICE[year]!))
}

function rentIncome(basis: Basis, year: number): Item[] {
  const rent = rentIn(basis, year)
  return [
    [basis.kind.income, rent],
    ['Øvrige indtægter', roundTo(rent * 0.012 * chance(`other ${basis.number} ${year}`), 100)],
  ]
}

function costsIn({ number, founded, kind, rate, leases }: Basis, year: number, normal: number): Item[] {
  const costs = kind.costs.map(([label, share]): Item => {
    const dearer = 1.017 ** (year - founded) * (0.92 + 0.16 * chance(`${label} ${number} ${year}`))
    return [label, Math.round(normal * share * dearer)]
  })
  return kind.paysRent ? [['Forpagtning af jord', rentIn({ kind, rate, leases }, year)], ...costs] : costs
}

type Rents = Pick<Venture, 'kind' | 'rate' | 'leases'>

function rentIn(rents: Rents, year: number): number {
  return activeIn(rents.leases, year).reduce((rent, lease) => rent + rentOf(rents, lease, year), 0)
}

function activeIn(leases: Lease[], year: number): Lease[] {
  return leases.filter(({ from, to = 9999 }) => from <= year && year <= to)
}

/** What a lease costs in a year: regulated each January, from its second year on. */
function rentOf({ kind, rate }: Rents, { size, from }: Lease, year: number): number {
  let rent = size * rate
  if (!kind.contract.indexed) return rent
  for (let next = from + 1; next <= year; next++) rent = Math.round((rent * (1000 + RISE[next]!)) / 1000)
  return rent
}

type Budget = { income: Item[]; costs: Item[]; gross: number; spent: number; operating: number }

function budgetOf({ number, accounts }: Venture, year: number): Budget {
  const { income, costs } = accounts.get(year)!
  const guess = ([label, amount]: Item): Item => {
    return [label, roundTo(amount * (0.97 + 0.05 * chance(`budget ${number} ${label} ${year}`)), 1000)]
  }
  const [ofIncome, ofCosts] = [income.map(guess), costs.map(guess)]
  const [gross, spent] = [sum(ofIncome), sum(ofCosts)]
  return { income: ofIncome, costs: ofCosts, gross, spent, operating: gross - spent }
}

/** The year until the end of each quarter, so that the quarters add up to it. */
function untilQuarter(amount: number, seasons: Kind['seasons'], quarter: number): number {
  const part = seasons.slice(0, quarter).reduce((share, season) => share + season, 0)
  return quarter === 4 ? amount : Math.round(amount * part)
}

function sum(items: Item[]): number {
  return items.reduce((added, [, amount]) => added + amount, 0)
}

function roundTo(amount: number, step: number): number {
  return Math.round(amount / step) * step
}

function roundDown(amount: number, step: number): number {
  return Math.floor(amount / step) * step
}

/** 0 to 1, always the same for the same words. */
function chance(words: string): number {
  return crc32(words.normalize('NFC')) / 2 ** 32
}

function between(least: number, most: number, words: string): number {
  return least + Math.floor(chance(words) * (most - least + 1))
}

// --- Dates -----------------------------------------------------------------------------------------------------

const MONTHS = 'januar februar marts april maj juni juli august september oktober november december'.split(
  ' ',
)

/** A date, or the Monday after it. */
function at(year: number, month: number, day: number, hour = 10, minute = 0, second = 0): Date {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const weekday = date.getUTCDay()
  if (weekday === 6) date.setUTCDate(date.getUTCDate() + 2)
  if (weekday === 0) date.setUTCDate(date.getUTCDate() + 1)
  return date
}

/** A Tuesday, which is no holiday in the months in which boards and meetings meet. */
function tuesday(year: number, month: number, week: number): Date {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  return at(year, month, 1 + ((9 - first) % 7) + (week - 1) * 7)
}

function daysBefore(date: Date, days: number): Date {
  return at(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate() - days)
}

/** Within some days of its date, at 8 to 16 o'clock in Denmark, summer and winter. */
function uploadedAt(date: Date, seed: string): Date {
  const part = (least: number, most: number, what: string) => between(least, most, `${what} ${seed}`)
  return at(
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate() + part(0, 4, 'day'),
    part(7, 13, 'hour'),
    part(0, 59, 'minute'),
    part(0, 59, 'second'),
  )
}

/** '14. maj 2024'. */
function danish(date: Date): string {
  return `${date.getUTCDate()}. ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

function yearsDown(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => from - index)
}

function lastReport({ sold }: Venture): number {
  return sold ? sold - 1 : LAST_REPORT
}

// --- The folders -----------------------------------------------------------------------------------------------

const MAKERS: Record<string, (venture: Venture) => Draft[]> = {
  Årsrapport: annualReports,
  Kvartalsrapport: quarterlyReports,
  Budget: budgets,
  Generalforsamling: generalMeetings,
  Bestyrelsesmøder: boardMeetings,
  Lejekontrakter: contracts,
  Finansiering: financing,
  Forsikring: insurance,
  Vedtægter: articles,
  Tegningsmateriale: prospectus,
  Vurderinger: valuations,
  Skatteoplysninger: taxLetters,
  Diverse: sundries,
}

const kroner = (amount: number) => formatMoney(amount)
const exact = (amount: number) => formatMoney(amount, { decimals: 2 })

function surplus(amount: number): string {
  return `et ${amount < 0 ? 'underskud' : 'overskud'} på ${kroner(Math.abs(amount))} kr.`
}

function rows(items: Item[], sign = 1): Line[] {
  return items.map(([label, amount]) => ({ row: [label, kroner(sign * amount)] }))
}

/** One row for each label, with a figure of each column. */
function sideBySide(columns: Item[][], sign = 1): Line[] {
  return columns[0]!.map(([label], index) => ({
    row: [label, ...columns.map((column) => kroner(sign * column[index]![1]))],
  }))
}

function total(label: string, ...amounts: number[]): Line {
  return { row: [label, ...amounts.map(kroner)], as: 'total' }
}

function annualReports(venture: Venture): Draft[] {
  return yearsDown(lastReport(venture), venture.founded + 1).flatMap((year) => {
    const date = at(year + 1, 4, between(8, 24, `report ${venture.number} ${year}`))
    const title = `Årsrapport ${year}`
    const lines = () => annualReport(venture, year, date)
    const draft = {
      rest: '2022 udkast til bestyrelsen',
      date: daysBefore(date, 30),
      title: `${title} (udkast)`,
      lines,
    }
    const final = { ...reportName(venture.number, year), date, title, lines }
    return year === 2022 && venture.number === '1024' ? [final, draft] : [final]
  })
}

/** The folder's sub names are in use, as habits change over the years. */
function reportName(number: string, year: number): { rest: string; as?: string } {
  if (year === 2020) return { as: 'Årsrapport 2020', rest: 'endelig' }
  if (year === 2021 && Number(number) % 2 === 0) return { as: 'Årsrapport KS', rest: '2021 endelig' }
  return { rest: String(year) }
}

function annualReport(venture: Venture, year: number, date: Date): Line[] {
  const { kind, accounts, board } = venture
  const now = accounts.get(year)!
  const before = accounts.get(year - 1)
  const years = before ? [now, before] : [now]
  const each = (pick: (accounts: Accounts) => number) => years.map(pick)
  const head = (label: string): Line => ({
    row: [label, ...each(({ year: of }) => of).map(String)],
    as: 'head',
  })
  return [
    `Regnskabsperiode: 1. januar – 31. december ${year}`,
    { heading: 'Ledelsesberetning' },
    `Selskabets formål er ${kind.purpose}. Selskabet har ingen ansatte.`,
    `Årets resultat blev ${surplus(now.result)}${before ? ` mod ${surplus(before.result)} året før.` : ''} ` +
      `Ledelsen anser resultatet for ${now.result < 0 ? 'mindre tilfredsstillende' : 'tilfredsstillende'}.`,
    ...(now.mwh ? [`Produktionen var ${kroner(now.mwh)} MWh i ${year}.`] : []),
    `Der er i årets løb afdraget ${kroner(now.repaid)} kr. på gælden. ${paidOutSentence(now.paidOut)}`,
    'Der er efter balancedagen ikke indtruffet forhold, som forrykker vurderingen af årsrapporten.',
    { heading: 'Ledelsespåtegning' },
    `Bestyrelsen har dags dato behandlet og godkendt årsrapporten for ${year}. Årsrapporten indstilles til ` +
      'generalforsamlingens godkendelse.',
    danish(date),
    { signatures: board.slice(0, 3) },
    { newPage: true },
    { heading: 'Resultatopgørelse' },
    head('Beløb i kr.'),
    ...sideBySide(years.map(({ income }) => income)),
    total('Indtægter i alt', ...each(({ gross }) => gross)),
    ...sideBySide(
      years.map(({ costs }) => costs),
      -1,
    ),
    total('Resultat før renter', ...each(({ operating }) => operating)),
    { row: ['Renteudgifter', ...each(({ interest }) => -interest).map(kroner)] },
    {
      row: [kind.lifetime ? 'Afskrivninger' : 'Værdiregulering', ...each(({ change }) => change).map(kroner)],
    },
    total('Årets resultat', ...each(({ result }) => result)),
    { heading: 'Balance pr. 31. december' },
    head('Aktiver'),
    { row: [kind.asset, ...each(({ asset }) => asset).map(kroner)] },
    { row: ['Tilgodehavender', ...each(({ receivables }) => receivables).map(kroner)] },
    { row: ['Likvide beholdninger', ...each(({ bank }) => bank).map(kroner)] },
    total('Aktiver i alt', ...each(({ asset, receivables, bank }) => asset + receivables + bank)),
    '',
    head('Passiver'),
    { row: ['Egenkapital', ...each(({ equity }) => equity).map(kroner)] },
    { row: ['Gæld til kreditinstitutter', ...each(({ loan }) => loan).map(kroner)] },
    { row: ['Anden gæld', ...each(({ otherDebt }) => otherDebt).map(kroner)] },
    total('Passiver i alt', ...each(({ equity, loan, otherDebt }) => equity + loan + otherDebt)),
    { heading: 'Egenkapital' },
    { row: ['Saldo 1. januar', ...each(({ opening }) => opening.equity).map(kroner)] },
    { row: ['Årets resultat', ...each(({ result }) => result).map(kroner)] },
    { row: ['Udloddet til kommanditisterne', ...each(({ paidOut }) => -paidOut).map(kroner)] },
    total('Saldo 31. december', ...each(({ equity }) => equity)),
  ]
}

function paidOutSentence(amount: number): string {
  return amount === 0
    ? 'Der er ikke udloddet midler til kommanditisterne.'
    : `Der er udloddet ${kroner(amount)} kr. til kommanditisterne.`
}

function quarterlyReports(venture: Venture): Draft[] {
  const latest = venture.sold ? venture.sold - 1 : 2026
  return yearsDown(latest, venture.founded + 1).flatMap((year) =>
    [4, 3, 2, 1].map((quarter) => ({
      rest: `Q${quarter} ${year}`,
      date: at(year, quarter * 3 + 1, between(18, 28, `quarter ${venture.number} ${year} ${quarter}`)),
      title: `Kvartalsrapport, ${quarter}. kvartal ${year}`,
      lines: () => quarterlyReport(venture, year, quarter),
    })),
  )
}

function quarterlyReport(venture: Venture, year: number, quarter: number): Line[] {
  const now = venture.accounts.get(year)!
  const budget = budgetOf(venture, year)
  const income = [quarter - 1, quarter].map((end) => incomeUntil(venture, now, end))
  const costs = [quarter - 1, quarter].map((end) => until(now.costs, EVEN, end))
  const columns = ([before, toDate]: Item[][], planned: Item[]) => [less(toDate!, before!), toDate!, planned]
  const [ofIncome, ofCosts] = [columns(income, budget.income), columns(costs, budget.costs)]
  const gross = ofIncome.map(sum)
  return [
    stateOf(venture, now, quarter),
    'Tallene er ikke reviderede.',
    { heading: 'Drift' },
    { row: ['Beløb i kr.', 'Kvartalet', 'År til dato', 'Årets budget'], as: 'head' },
    ...sideBySide(ofIncome),
    total('Indtægter i alt', ...gross),
    ...sideBySide(ofCosts, -1),
    total('Resultat før renter', ...gross.map((amount, index) => amount - sum(ofCosts[index]!))),
    '',
    `Næste kvartalsrapport udsendes i ${MONTHS[(quarter * 3 + 3) % 12]}.`,
    'Spørgsmål kan rettes til administrationen.',
  ]
}

/** Power is counted and then priced, so that a quarter's amount is its production at the year's price. */
function incomeUntil({ kind }: Venture, { income, mwh, year }: Accounts, quarter: number): Item[] {
  if (mwh) return powerIncome(untilQuarter(mwh, kind.seasons, quarter), year)
  return until(income, kind.seasons, quarter)
}

function until(items: Item[], seasons: Kind['seasons'], quarter: number): Item[] {
  return items.map(([label, amount]) => [label, untilQuarter(amount, seasons, quarter)])
}

function less(items: Item[], others: Item[]): Item[] {
  return items.map(([label, amount], index) => [label, amount - others[index]![1]])
}

function stateOf({ kind, leases }: Venture, { year, mwh }: Accounts, quarter: number): string {
  if (mwh) {
    const [before, toDate] = [quarter - 1, quarter].map((end) => untilQuarter(mwh, kind.seasons, end))
    return `Produktionen var ${kroner(toDate! - before!)} MWh i kvartalet og ${kroner(toDate!)} MWh i året til dato.`
  }
  const active = activeIn(leases, year)
  if (kind === KINDS.ship) return `Skibet har i hele kvartalet været udchartret til ${active[0]?.full}.`
  if (kind === KINDS.hotel) return `Hotellet har i hele kvartalet været forpagtet af ${active[0]?.full}.`
  const area = active.reduce((size, lease) => size + lease.size, 0)
  return `Ved kvartalets udgang var der udlejet ${kroner(area)} m², fordelt på ${active.length} aftaler.`
}

function budgets(venture: Venture): Draft[] {
  return yearsDown(venture.sold ?? 2027, venture.founded + 2).map((year) => ({
    rest: String(year),
    date: at(year - 1, 10, between(19, 30, `budget ${venture.number} ${year}`)),
    title: `Budget ${year}`,
    lines: () => budgetPaper(venture, year),
  }))
}

function budgetPaper(venture: Venture, year: number): Line[] {
  const [next, present] = [budgetOf(venture, year), budgetOf(venture, year - 1)]
  const { interest, repaid } = venture.accounts.get(year)!
  const [ofInterest, ofLoan] = [roundTo(interest, 1000), roundTo(repaid, 1000)]
  return [
    `Budgettet omfatter perioden 1. januar – 31. december ${year} og forelægges bestyrelsen på mødet i december.`,
    { heading: 'Driftsbudget' },
    { row: ['Beløb i kr.', `Budget ${year}`, `Budget ${year - 1}`], as: 'head' },
    ...sideBySide([next.income, present.income]),
    total('Indtægter i alt', next.gross, present.gross),
    ...sideBySide([next.costs, present.costs], -1),
    total('Resultat før renter', next.operating, present.operating),
    { heading: `Likviditet ${year}` },
    ...rows([
      ['Resultat før renter', next.operating],
      ['Renter', -ofInterest],
      ['Afdrag', -ofLoan],
    ]),
    total('Forventet likviditet fra driften', next.operating - ofInterest - ofLoan),
    '',
    'Eventuel udlodning besluttes på den ordinære generalforsamling.',
  ]
}

function meetingDate(number: string, year: number): Date {
  return tuesday(year, 5, number === '1024' ? 2 : between(2, 4, `meeting ${number}`))
}

function generalMeetings(venture: Venture): Draft[] {
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
    `Budgettet for ${year} viser et resultat før renter på ${kroner(budgetOf(venture, year).operating)} kr.`,
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

function boardMeetings(venture: Venture): Draft[] {
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
  const nextBudget = budgetOf(venture, year + 1)
  const subjects: [string, string][] = [
    year === founded + 1
      ? ['Opstart', `Administrationen orienterede om overtagelsen af ${kind.object}.`]
      : [
          `Årsrapport ${year - 1}`,
          `Udkastet viser ${surplus(accounts.get(year - 1)!.result)} Revisor gennemgik udkastet.`,
        ],
    ['Opfølgning på generalforsamlingen', paidOutSentence(now.paidOut)],
    [
      'Halvåret',
      `Indtægterne i første halvår blev ${kroner(sum(incomeUntil(venture, now, 2)))} kr. Udviklingen er som ventet.`,
    ],
    [
      `Budget ${year + 1}`,
      `Bestyrelsen godkendte budgettet med et resultat før renter på ${kroner(nextBudget.operating)} kr.`,
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

// Changes that were agreed upon later, none of them of the rent.
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

function contracts(venture: Venture): Draft[] {
  const { leases, number, sold, kind } = venture
  const agreements = leases.map((lease) => agreement(venture, lease))
  const ended = leases.filter(({ to }) => to).map((lease) => ending(venture, lease))
  const last = sold ?? 2025
  const notices = yearsDown(last, 2013).flatMap((year) =>
    activeIn(leases, year)
      .filter(({ from }) => kind.contract.indexed && year > from)
      .map((lease) => regulation(venture, lease, year)),
  )
  return [...agreements, ...ended, ...(number === '1024' ? addenda(venture) : []), ...notices]
}

function agreement(venture: Venture, lease: Lease): Draft {
  const { kind, name, number } = venture
  const { contract } = kind
  const rent = rentOf(venture, lease, lease.from)
  const date = at(lease.from - 1, 9, between(1, 80, `agreement ${number} ${lease.short}`))
  const size = `${kroner(lease.size)} ${contract.unit}`
  return {
    rest: `${lease.short}, ${lease.what.replaceAll('/', '-')} - ${contract.name} ${lease.from - 1}`,
    date,
    title: `${capital(contract.name)}: ${lease.short}`,
    lines: () => [
      `Mellem ${name} (${contract.we}) og ${lease.full} (${contract.they}) er i dag indgået følgende aftale.`,
      { heading: '§ 1. Det aftalte' },
      contract.unit === 'dage'
        ? `Aftalen omfatter ${lease.what}.`
        : `Aftalen omfatter ${lease.what}, i alt ${size}.`,
      { heading: '§ 2. Begyndelse og ophør' },
      lease.to && !contract.indexed
        ? `Aftalen løber fra den 1. januar ${lease.from} til den 31. december ${lease.to}.`
        : `Aftalen træder i kraft den 1. januar ${lease.from} og kan opsiges med 12 måneders varsel.`,
      { heading: '§ 3. Betaling' },
      { row: ['Grundlag', 'Beløb i kr.'], as: 'head' },
      { row: [contract.unit === 'dage' ? 'Pr. dag' : `Pr. ${contract.unit}`, kroner(venture.rate)] },
      { row: ['Antal', size] },
      total(contract.rent, rent),
      { row: ['Betales kvartalsvis forud med', exact(rent / 4)] },
      '',
      contract.indexed
        ? 'Beløbet reguleres hver 1. januar med udviklingen i nettoprisindekset, dog højst 4 pct. om året.'
        : 'Hyren er fast i hele perioden.',
      { heading: '§ 4. Tvister' },
      'Aftalen er undergivet dansk ret. Tvister afgøres ved de danske domstole.',
      danish(date),
      { signatures: [`For ${contract.we}`, `For ${contract.they}`] },
    ],
  }
}

function ending({ kind, name, number }: Venture, lease: Lease): Draft {
  const { contract } = kind
  const date = at(lease.to!, 3, between(1, 28, `ending ${number} ${lease.short}`))
  return {
    rest: `${lease.short} - ophør ${lease.to}`,
    date,
    title: `Ophør af ${contract.name}: ${lease.short}`,
    lines: () => [
      danish(date),
      `${name} bekræfter hermed, at ${contract.name} med ${lease.full} vedrørende ${lease.what} ophører den ` +
        `31. december ${lease.to}.`,
      'Endelig opgørelse fremsendes senest fire uger efter ophøret.',
      '',
      'Med venlig hilsen',
      'Administrationen',
    ],
  }
}

function addenda({ leases, name }: Venture): Draft[] {
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
        { heading: capital(subject) },
        text,
        'Lejekontraktens øvrige vilkår er uændrede.',
        danish(date),
        { signatures: ['For udlejer', 'For lejer'] },
      ],
    }
  })
}

function regulation(venture: Venture, lease: Lease, year: number): Draft {
  const { kind, number } = venture
  const [before, now] = [year - 1, year].map((of) => rentOf(venture, lease, of))
  const rise = formatMoney(RISE[year]! / 10, { decimals: 1 })
  const date = at(year - 1, 11, between(15, 30, `index ${number} ${year}`))
  return {
    rest: `${lease.short} - indeksregulering ${year}`,
    date,
    title: `Indeksregulering pr. 1. januar ${year}`,
    lines: () => [
      danish(date),
      `Vedrørende ${lease.full}, ${lease.what}`,
      `I henhold til § 3 i vores ${kind.contract.name} reguleres beløbet pr. 1. januar ${year} med ${rise} pct.`,
      { heading: 'Beregning' },
      { row: ['Beløb i kr.', 'Pr. år'], as: 'head' },
      { row: [`Hidtil (${year - 1})`, kroner(before!)] },
      { row: [`Regulering, ${rise} pct.`, kroner(now! - before!)] },
      total(`Fra 1. januar ${year}`, now!),
      { row: ['Heraf betales pr. kvartal', exact(now! / 4)] },
      '',
      'Med venlig hilsen',
      'Administrationen',
    ],
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function financing(venture: Venture): Draft[] {
  const { accounts, founded, kind, name, number, board } = venture
  const loan = accounts.get(founded + 1)!.opening.loan
  const date = at(founded, 9, between(3, 26, `loan ${number}`))
  const statements = yearsDown(lastReport(venture), founded + 1).map((year) => ({
    rest: `Årsopgørelse lån ${year}`,
    date: at(year + 1, 1, between(8, 20, `statement ${number} ${year}`)),
    title: `Årsopgørelse ${year}`,
    lines: () => loanStatement(accounts.get(year)!),
  }))
  return [
    {
      rest: `Låneaftale Kystbanken ${founded}`,
      date,
      title: 'Låneaftale',
      lines: () => [
        `Mellem Kystbanken A/S (långiver) og ${name} (låntager) er indgået aftale om et lån med følgende vilkår.`,
        { row: ['Hovedstol i kr.', kroner(loan)] },
        { row: ['Løbetid', `${kind.loanYears} år`] },
        { row: ['Rente', 'variabel, fastsættes hvert år'] },
        { row: ['Sikkerhed', `1. prioritets pant i ${kind.object}`] },
        '',
        'Låntager sender årsrapport og budget til långiver, så snart de er godkendt.',
        danish(date),
        { signatures: ['Kystbanken A/S', `For låntager, ${board[0]}`] },
      ],
    },
    {
      rest: `Pantebrev ${founded}`,
      date: at(founded, 10, between(3, 26, `deed ${number}`)),
      title: 'Pantebrev',
      lines: () => [
        `${name} giver Kystbanken A/S pant for ${kroner(loan)} kr. i ${kind.object}.`,
        'Pantet ligger til sikkerhed for låneaftalen af samme år. Pantebrevet kan ikke overdrages uden lånet.',
        { signatures: [`For pantsætter, ${board[0]}`] },
      ],
    },
    ...statements,
  ]
}

function loanStatement({ year, opening, interest, repaid, loan }: Accounts): Line[] {
  return [
    'Kystbanken A/S sender hermed opgørelse over lånet.',
    { row: ['Beløb i kr.', String(year)], as: 'head' },
    { row: ['Restgæld 1. januar', kroner(opening.loan)] },
    { row: ['Afdrag', kroner(-repaid)] },
    total('Restgæld 31. december', loan),
    '',
    { row: ['Rentesats', `${formatMoney(INTEREST[year]! / 100, { decimals: 2 })} pct.`] },
    { row: ['Betalte renter', kroner(interest)] },
    { row: ['Afdrag', kroner(repaid)] },
    total('Ydelse i alt', interest + repaid),
  ]
}

function insurance(venture: Venture): Draft[] {
  const { kind, accounts, founded, number, name } = venture
  return yearsDown(venture.sold ? venture.sold - 1 : 2026, founded + 2).map((year) => {
    const date = at(year - 1, 12, between(2, 18, `policy ${number} ${year}`))
    const premium = accounts.get(year)!.costs.find(([label]) => label === 'Forsikring')![1]
    const deductible = kind.lifetime ? 250_000 : 25_000
    return {
      rest: `Police ${year}`,
      date,
      title: `Police ${year}`,
      lines: () => [
        kind.insurance,
        { row: ['Forsikringstager', name] },
        { row: ['Forsikringsselskab', 'Værnet Forsikring G/S'] },
        { row: ['Policenummer', `${number}-${between(100_000, 999_999, `police ${number}`)}`] },
        { row: ['Periode', `1. januar – 31. december ${year}`] },
        { heading: 'Dækning og præmie' },
        { row: ['Beløb i kr.', String(year)], as: 'head' },
        { row: ['Forsikringssum', kroner(roundTo(accounts.get(year - 1)!.asset, 100_000))] },
        { row: ['Selvrisiko pr. skade', kroner(deductible)] },
        { row: ['Årspræmie inkl. afgifter', kroner(premium)] },
        '',
        'Skader anmeldes til administrationen, som giver besked til forsikringsselskabet.',
      ],
    }
  })
}

function articles(venture: Venture): Draft[] {
  const { founded, number, name, kind, board } = venture
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
  const changes = [
    [founded + 4, '§ 3', 'Generalforsamlingen kan indkaldes pr. e-mail.'],
    [founded + 8, '§ 5', 'Forkøbsretten skal gøres gældende inden fire uger.'],
    [founded + 11, '§ 3', 'Generalforsamlingen kan holdes helt eller delvis elektronisk.'],
  ] as const
  return [...base, ...changes.filter(([year]) => year <= (venture.sold ?? 2026)).map(change)]

  function change([year, paragraph, text]: (typeof changes)[number]): Draft {
    const of = meetingDate(number, year)
    return {
      rest: `Ændring af ${paragraph} - ${danish(of)}`,
      date: of,
      title: 'Ændring af vedtægterne',
      lines: () => [
        `På generalforsamlingen den ${danish(of)} blev følgende tilføjet vedtægternes ${paragraph}:`,
        text,
        'Ændringen trådte i kraft straks.',
      ],
    }
  }
}

function prospectus(venture: Venture): Draft[] {
  const { founded, accounts, kind, name } = venture
  const first = accounts.get(founded + 1)!
  const { equity, loan } = first.opening
  const share = equity / SHARES
  const papers: [rest: string, title: string, lines: Line[]][] = [
    [
      'Prospekt',
      'Prospekt',
      [
        `${name} udbydes i ${SHARES} andele. Selskabets formål er ${kind.purpose}.`,
        { heading: 'Investering og finansiering' },
        { row: ['Beløb i kr.', 'I alt'], as: 'head' },
        { row: [kind.asset, kroner(first.asset - first.change)] },
        { row: ['Likvid reserve', kroner(equity + loan - first.asset + first.change)] },
        total('Investering i alt', equity + loan),
        '',
        { row: ['Lån', kroner(loan)] },
        { row: [`Indskud, ${SHARES} andele à ${kroner(share)} kr.`, kroner(equity)] },
        total('Finansiering i alt', equity + loan),
      ],
    ],
    [
      'Tegningsaftale',
      'Tegningsaftale',
      [
        `Undertegnede tegner herved ____ andel(e) à ${kroner(share)} kr. i ${name}.`,
        'Indskuddet betales senest 14 dage efter påkrav. Tegningen er bindende, når fuldtegning er opnået.',
        { signatures: ['Dato', 'Underskrift', 'CPR- eller CVR-nr.'] },
      ],
    ],
    [
      'Investeringsbudget',
      'Budget for de første år',
      [
        { row: ['Beløb i kr.', ...[1, 2, 3].map((step) => String(founded + step))], as: 'head' },
        ...earlyYears(venture),
      ],
    ],
    [
      'Risikofaktorer',
      'Risikofaktorer',
      [
        'Investering i andele er forbundet med risiko. Hele indskuddet og resthæftelsen kan gå tabt.',
        `De vigtigste forhold er renten, udviklingen i værdien af ${kind.object} og aftaleparternes betalingsevne.`,
        'Andelene er ikke noteret, og det kan være vanskeligt at sælge dem.',
      ],
    ],
    [
      'Skattemæssige forhold',
      'Skattemæssige forhold',
      [
        'Selskabet er skattemæssigt transparent. Hver kommanditist beskattes af sin andel af resultatet.',
        'Fradraget er begrænset af indskud og resthæftelse. Kommanditisten bør rådføre sig med egen rådgiver.',
      ],
    ],
    [
      'Informationsmøde',
      'Indbydelse til informationsmøde',
      [
        'Projektet præsenteres på et møde hos administrationen, hvor der er lejlighed til at stille spørgsmål.',
      ],
    ],
  ]
  return papers.map(([rest, title, lines], index) => ({
    rest: `${rest} ${founded}`,
    date: at(founded, 2 + (index % 2), 3 + index * 4),
    title,
    lines: () => lines,
  }))
}

function earlyYears(venture: Venture): Line[] {
  const plans = [1, 2, 3].map((step) => budgetOf(venture, venture.founded + step))
  return [
    ...sideBySide(plans.map(({ income }) => income)),
    total('Indtægter i alt', ...plans.map(({ gross }) => gross)),
    ...sideBySide(
      plans.map(({ costs }) => costs),
      -1,
    ),
    total('Resultat før renter', ...plans.map(({ operating }) => operating)),
  ]
}

function valuations(venture: Venture): Draft[] {
  const { accounts, founded, kind, number } = venture
  const years = yearsDown(lastReport(venture), founded + 2).filter((year) => (year - founded) % 2 === 0)
  return years.map((year) => {
    const date = at(year + 1, 2, between(2, 24, `valuation ${number} ${year}`))
    const { asset, operating } = accounts.get(year)!
    return {
      rest: `Vurdering pr. 31. december ${year}`,
      date,
      title: `Vurdering pr. 31. december ${year}`,
      lines: () => [
        `Efter besigtigelse af ${kind.object} er værdien vurderet som følger.`,
        { row: ['Beløb i kr.', String(year)], as: 'head' },
        { row: ['Resultat før renter', kroner(operating)] },
        { row: ['I procent af værdien', `${formatMoney((operating / asset) * 100, { decimals: 2 })} pct.`] },
        total('Vurderet værdi', asset),
        '',
        'Vurderingen forudsætter almindelig god vedligeholdelse og bygger på oplysninger fra administrationen.',
        danish(date),
        { signatures: ['Vurderingsmand'] },
      ],
    }
  })
}

function taxLetters(venture: Venture): Draft[] {
  return yearsDown(lastReport(venture), venture.founded + 1).map((year) => ({
    rest: `Indkomståret ${year}`,
    date: at(year + 1, 3, between(1, 20, `tax ${venture.number} ${year}`)),
    title: `Skatteoplysninger for indkomståret ${year}`,
    lines: () => taxLetter(venture, year),
  }))
}

function taxLetter({ accounts, founded }: Venture, year: number): Line[] {
  const { operating, interest, equity, loan, otherDebt } = accounts.get(year)!
  const first = accounts.get(founded + 1)!
  const depreciation = Math.round((first.asset - first.change) * 0.03)
  const taxed = operating - interest - depreciation
  const both = (label: string, amount: number, as?: 'total'): Line => ({
    row: [label, kroner(amount), exact(amount / SHARES)],
    ...(as && { as }),
  })
  return [
    'Til kommanditisterne',
    `Nedenfor følger oplysninger til brug for kommanditisternes skat. Selskabet har ${SHARES} andele.`,
    { row: ['Beløb i kr.', 'I alt', 'Pr. andel'], as: 'head' },
    both('Resultat før renter', operating),
    both('Renteudgifter', -interest),
    both('Skattemæssige afskrivninger', -depreciation),
    both('Skattemæssigt resultat', taxed, 'total'),
    { heading: `Status pr. 31. december ${year}` },
    { row: ['Beløb i kr.', 'I alt', 'Pr. andel'], as: 'head' },
    both('Egenkapital', equity),
    both('Gæld', loan + otherDebt),
    '',
    'Den, der ejer flere andele, ganger beløbet pr. andel med sit antal andele.',
  ]
}

function sundries(venture: Venture): Draft[] {
  const { founded, sold, closing, kind, number } = venture
  const letters: [rest: string, year: number, month: number, title: string, text: string][] = [
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
  return [...letters, ...(number === '1024' ? SUNDRIES_1024 : [])]
    .filter(([, year]) => founded <= year && year <= (sold ?? 2026))
    .map(([rest, year, month, title, text]) => ({
      rest,
      date: at(year, month, between(2, 24, `letter ${number} ${rest}`)),
      title,
      lines: () => [text, '', 'Administrationen'],
    }))
}

// Names that are hard on addresses, headers and narrow columns.
const SUNDRIES_1024: [string, number, number, string, string][] = [
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

// --- What is no PDF --------------------------------------------------------------------------------------------

const OTHER_FILES: Record<string, (() => Omit<Paper, 'folder'>)[]> = {
  '1024': [
    () => other('Diverse (1024) Facade mod havnen 2022.png', at(2022, 6, 14), picture()),
    () => other('Diverse (1024) Adgang og nøgler 2025.txt', at(2025, 2, 11), Buffer.from(KEYS)),
    () => other('Diverse (1024) Forbrugsaflæsning 2024.csv', at(2025, 1, 14), Buffer.from(readings())),
  ],
}

function other(name: string, date: Date, bytes: Buffer): Omit<Paper, 'folder'> {
  return { name, bytes, createdAt: uploadedAt(date, name) }
}

const KEYS = `Adgang og nøgler, Nordhavn Kontorhus

Hovedindgangen låses kl. 18.00. Brik udleveres af administrationen.
Teknikrum: nøgle nr. 4 (hænger i boksen ved vareindgangen).
Elevator: serviceaftale, tilkald på det nummer, der står i stolen.
Blå brikker er lejernes, røde er håndværkernes. Husk at få dem igen!
`

function readings(): string {
  const lines = yearsDown(12, 1)
    .toReversed()
    .map((month) => {
      const cold = Math.abs(month - 7) * 6.4
      const heat = formatMoney(8 + cold + chance(`heat ${month}`) * 4, { decimals: 1, grouping: false })
      return `${MONTHS[month - 1]};${heat};${between(110, 150, `water ${month}`)};${between(9000, 14_000, `power ${month}`)}`
    })
  return ['Måned;Varme (MWh);Vand (m³);El (kWh)', ...lines, ''].join('\r\n')
}

type Colour = [red: number, green: number, blue: number]

/** The house by the water, under a clear sky. */
function picture(): Buffer {
  return png(320, 200, (x, y): Colour => {
    if (y >= 160) return (y + Math.floor(x / 9)) % 7 === 0 ? [96, 142, 170] : [62, 110, 142]
    if (y >= 152) return [120, 116, 110]
    const isHouse = x >= 70 && x < 250 && y >= 32
    if (!isHouse) return [206 - Math.floor(y / 4), 224 - Math.floor(y / 8), 238]
    const isDoor = x >= 150 && x < 170 && y >= 132
    if (isDoor) return [58, 44, 38]
    const isWindow = (x - 70) % 20 >= 5 && (x - 70) % 20 < 15 && (y - 32) % 20 >= 6 && (y - 32) % 20 < 16
    return isWindow ? [232, 220, 160] : [152, 74, 58]
  })
}

function png(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const stride = 1 + width * 3 // each row begins with its filter, which is none
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), y * stride + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8) // eight bits of each of red, green and blue
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
