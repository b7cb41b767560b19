import { monthsAfter } from './days.ts'

/** A year, a half or a quarter of it, or the short year of a changed accounting year. It belongs to the year in which its accounting year ends. */
export type Period = { year: number; part: Part | null }
export type Part = (typeof PARTS)[number]

/** How often a paper is expected. */
export const RHYTHMS = ['year', 'half', 'quarter'] as const
export type Rhythm = (typeof RHYTHMS)[number]

/** 'O' is the short year between two accounting years. */
const PARTS = ['H1', 'H2', 'Q1', 'Q2', 'Q3', 'Q4', 'O'] as const

/** Reads a period as it is kept: '2025', '2025-Q3', '2025-H1', '2025-O'. */
export function readPeriod(key: string): Period | null {
  const found = /^((?:1[89]|2[01])\d\d)(?:-(H[12]|Q[1-4]|O))?$/.exec(key)
  return found ? { year: Number(found[1]), part: (found[2] as Part | undefined) ?? null } : null
}

/** The year of a period as it is kept, in which its accounting year ends: 2025 of '2025-Q3', null of none. */
export const yearOfPeriod = (key: string | null) => (key === null ? null : Number(key.slice(0, 4)))

/** Writes a period as it is kept. */
export const periodKey = ({ year, part }: Period) => (part === null ? String(year) : `${year}-${part}`)

export const rhythmOf = ({ part }: Period): Rhythm =>
  part?.startsWith('Q') ? 'quarter' : part?.startsWith('H') ? 'half' : 'year'

/** Sorts periods by their end: quarters before the half and the year that they end with. */
export function comparePeriods(a: Period, b: Period): number {
  return a.year - b.year || monthsOf(a).to - monthsOf(b).to || lengthOf(a) - lengthOf(b)
}

/** Whether any part of a period lies between two others. A limit that is a whole year includes its short year. */
export function isPeriodBetween(
  period: Period,
  { from, to }: { from: Period | null; to: Period | null },
): boolean {
  const months = monthsOf(period)
  const isSince =
    !from || period.year > from.year || (period.year === from.year && months.to > monthsOf(from).from)
  const isUntil =
    !to ||
    period.year < to.year ||
    (period.year === to.year && (to.part === null || months.from < monthsOf(to).to))
  return isSince && isUntil
}

const LENGTHS = { quarter: 3, half: 6, year: 12 }
const lengthOf = (period: Period) => LENGTHS[rhythmOf(period)]

/** The months of the accounting year at which a period begins and ends. The short year follows the year. */
function monthsOf(period: Period): { from: number; to: number } {
  const length = lengthOf(period)
  const to = period.part === 'O' ? 24 : period.part === null ? 12 : length * Number(period.part[1])
  return { from: to - length, to }
}

/** '2025', '2024/25' for a year that crosses New Year, '3. kvartal 2025', '1. halvår 2024/25', 'Omlægning 2025'. */
export function periodText({ year, part }: Period, isAcross = false): string {
  const years = isAcross ? `${year - 1}/${String(year).slice(2)}` : String(year)
  if (part === null) return years
  if (part === 'O') return `Omlægning ${year}`
  return `${part[1]}. ${part.startsWith('Q') ? 'kvartal' : 'halvår'} ${years}`
}

/** Whether a period's accounting year began in the year before, by the period's first day. */
export function crossesNewYear(period: Period, startsOn: string | null): boolean {
  if (startsOn === null) return false
  const { part } = period
  const before = part === null || part === 'O' ? 0 : (Number(part[1]) - 1) * (part.startsWith('Q') ? 3 : 6)
  return Number(monthsAfter(startsOn, -before).slice(0, 4)) < period.year
}

/** Writes a stored period in words; '' for null. */
export function periodKeyText(key: string | null, isAcross = false): string {
  const period = readPeriod(key ?? '')
  return period ? periodText(period, isAcross) : ''
}

const CENTURIES = String.raw`(?:1[89]|2[01])\d\d`
/** A second year follows at once, and does not begin a date: '2011-12-05' is a day of 2011. */
const YEAR = new RegExp(
  String.raw`(?<!\d)(?<year>${CENTURIES})(?:\s?[/_–-]\s?(?<next>\d{4}|\d\d)(?!\d|[./-]\d))?(?!\d)`,
  'u',
)

/** The ways to write a part, with its number or the word for it. */
const WAYS: readonly [letter: 'Q' | 'H' | 'O', way: string][] = [
  ['Q', String.raw`(?<number>[1-4])\.?\s?(?:kvartal\p{L}*|kvt|kv)`],
  ['Q', String.raw`(?:kvartal\p{L}*|kvt|kv)\.?\s?(?<number>[1-4])`],
  ['Q', String.raw`(?:[qk](?<number>[1-4])|(?<turned>[1-4])q)`],
  ['Q', String.raw`(?<word>første|andet|tredje|fjerde)\skvartal\p{L}*`],
  ['H', String.raw`(?<number>[12])\.?\s?halvår\p{L}*`],
  ['H', String.raw`halvår\p{L}*\.?\s?(?<number>[12])`],
  ['H', String.raw`h(?<number>[12])`],
  ['H', String.raw`(?<word>første|andet)\shalvår\p{L}*`],
  // Loans are 'omlagt' too.
  ['O', String.raw`(?:omlægningsperiode\p{L}*|omlægningsår\p{L}*|omlægning(?=\s${CENTURIES}))`],
]
const PARTS_IN_TEXT = WAYS.map(
  ([letter, way]) => [letter, new RegExp(String.raw`(?<![\p{L}\d])${way}(?![\p{L}\d]|\.\d)`, 'iu')] as const,
)
const WORDS = ['første', 'andet', 'tredje', 'fjerde']

/** A year and its part without a space between them: '2026Q3', '3Q2026'. A year has four digits. */
const JOINED_AFTER = new RegExp(String.raw`(?<!\d)(${CENTURIES})(?=[qkh][1-4](?![\p{L}\d]))`, 'giu')
const JOINED_BEFORE = new RegExp(String.raw`(?<![\p{L}\d])([qkh][1-4]|[1-4]q)(?=${CENTURIES}(?!\d))`, 'giu')

/**
 * Finds the period in free texts: '2025', '2024/25', 'Q3 2026', '2026-Q3', '3. kvartal 2026', '1. halvår 2024/25'. The
 * year is from the first text that has one, and so is the part. A quarter without a year is no period.
 */
export function periodIn(...texts: string[]): Period | null {
  const apart = texts.map((text) => text.replaceAll(JOINED_AFTER, '$1 ').replaceAll(JOINED_BEFORE, '$1 '))
  const year = firstOf(apart, yearsIn)
  return year === null ? null : { year, part: firstOf(apart, partIn) }
}

/** The words that may stand around a typed period. */
const AROUND =
  /^[\s.,()/–-]*(?:(?:regnskabsåret|regnskabsår|kalenderåret|kalenderår|året|år)[\s.,()/–-]*)?$/iu

/**
 * Reads a period that somebody has typed: all of the text has to be one, as `periodIn` finds it. 'Q5 2026', '2025/27' and
 * 'hest 2024' are none.
 */
export function typedPeriod(text: string): Period | null {
  const kept = readPeriod(text.trim())
  if (kept) return kept
  const apart = text.replaceAll(JOINED_AFTER, '$1 ').replaceAll(JOINED_BEFORE, '$1 ')
  const [period, years] = [periodIn(text), YEAR.exec(apart)]
  const isPair = years?.groups!.next !== undefined
  if (!period || !years || (isPair && period.year === Number(years.groups!.year))) return null
  const part = PARTS_IN_TEXT.map(([, way]) => way.exec(apart)).find((found) => found !== null)
  const rest = [years[0], part?.[0] ?? ''].reduce((left, said) => left.replace(said, ' '), apart)
  return AROUND.test(rest) ? period : null
}

function firstOf<Found>(texts: string[], find: (text: string) => Found | null): Found | null {
  for (const text of texts) {
    const found = find(text)
    if (found !== null) return found
  }
  return null
}

/** Returns the words of the year: '2025' or '2024-25'; null if there are none. */
export function yearWordsIn(text: string): string | null {
  const found = YEAR.exec(text)
  if (!found) return null
  const first = found.groups!.year!
  return yearsIn(text) === Number(first) ? first : found[0]
}

/** The first year, or the second of two that follow each other: '2024/25' ends in 2025, '2024-30' is 2024. */
function yearsIn(text: string): number | null {
  const { year, next } = YEAR.exec(text)?.groups ?? {}
  if (year === undefined) return null
  const following = Number(year) + 1
  const isFollowed = next === String(following) || next === String(following).slice(2)
  return isFollowed ? following : Number(year)
}

function partIn(text: string): Part | null {
  for (const [letter, way] of PARTS_IN_TEXT) {
    const found = way.exec(text)
    if (found) return (letter === 'O' ? letter : `${letter}${numberIn(found.groups!)}`) as Part
  }
  return null
}

function numberIn({ number, turned, word }: Record<string, string | undefined>): string {
  return number ?? turned ?? String(WORDS.indexOf(word!.toLowerCase()) + 1)
}
