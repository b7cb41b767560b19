import { monthsAfter, daysAfter, MONTHS, readDay } from '../../base/time/days.ts'
import { periodIn, type Period } from '../../base/time/period.ts'
import type { PaperLine } from '../../uploads/papers/paper-lines.ts'
import type { ReceiptField } from './layout.ts'

/** A value that may be a field of a receipt, and where it stands in its line. */
export type ReceiptValue = {
  field: ReceiptField
  /** As it is kept: '12345674', '2026-05-12', '2025-01-01/2025-12-31'. */
  value: string
  said: string
  from: number
  to: number
}

const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3))
const MONTH = String.raw`(?:${MONTHS.join('|')}|(?:${SHORT_MONTHS.join('|')})\.?)`
const DAY = String.raw`(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d\d-\d\d|\d{1,2}\.? ${MONTH} \d{4})`
const DAYS = new RegExp(String.raw`(?<![\d./-])${DAY}(?!\d|[./-]\d)`, 'gi')
const SPANS = new RegExp(
  String.raw`(?<![\d./-])(${DAY}) ?(?:-|–|—|til og med|til|t\.o\.m\.|to) ?(${DAY})(?!\d)`,
  'gi',
)
const PARTS =
  /(?<![\p{L}\d])(?:[1-4]\.? ?kvartal|[12]\.? ?halvår|[QK][1-4]|H[12])[ ,-]{0,2}20\d\d(?:\/\d\d)?(?!\d)|(?<!\d)20\d\d[ -]?(?:[QK][1-4]|H[12])(?!\d)/giu
const YEARS = /(?<![\d.,/-])(20\d\d)(?:\/(20)?(\d\d))?(?![\d]|[.,/-]\d)/g
const CVRS = /(?<![\d.,/-]|\d )(?:DK[- ]?)?(\d{2} ?\d{2} ?\d{2} ?\d{2})(?! ?\d|[.,/-]\d)/gi
/** No amount: '12.345,00'. */
const NUMBERS =
  /(?<![\p{L}\d.,/-])(?!\d{1,3}(?:\.\d{3})+(?!\d))[\p{Lu}\d][\p{L}\d]*(?:[-./_][\p{L}\d]+)*(?!,\d)/gu

/** Lists what may be a field in a line, in its order. A year of a day is no period, and a day is no number. */
export function valuesIn({ text }: Pick<PaperLine, 'text'>): ReceiptValue[] {
  const spans = find(text, SPANS, 'period', (match) => {
    const [from, to] = [dayIn(match[1]!), dayIn(match[2]!)]
    return from !== null && to !== null && from <= to ? `${from}/${to}` : null
  })
  const days = find(text, DAYS, 'day', (match) => dayIn(match[0])).filter(isApart(spans))
  const parts = find(text, PARTS, 'period', (match) => daysOf(periodIn(match[0]))).filter(isApart(days))
  const years = find(text, YEARS, 'period', yearsOf).filter(isApart([...spans, ...days, ...parts]))
  const cvrs = find(text, CVRS, 'cvr', (match) => match[1]!.replaceAll(' ', ''))
  const numbers = find(text, NUMBERS, 'number', ({ 0: said }) =>
    said.length >= 5 && said.length <= 40 && said.replaceAll(/\D/g, '').length >= 4 ? said : null,
  ).filter(isApart([...spans, ...days, ...parts]))
  return [...spans, ...days, ...parts, ...years, ...cvrs, ...numbers].sort((a, b) => a.from - b.from)
}

const isApart = (others: readonly ReceiptValue[]) => (value: ReceiptValue) =>
  !others.some(({ from, to }) => value.from < to && from < value.to)

function find(
  text: string,
  pattern: RegExp,
  field: ReceiptField,
  valueOf: (match: RegExpExecArray) => string | null,
): ReceiptValue[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const value = valueOf(match)
    if (value === null) return []
    return { field, value, said: match[0], from: match.index, to: match.index + match[0].length }
  })
}

/** '12.05.2026', '12. maj 2026' and '2026-05-12' become '2026-05-12'. */
function dayIn(said: string): string | null {
  const [, day, name, year] = /^(\d{1,2})\.? (\p{L}+)\.? (\d{4})$/u.exec(said) ?? []
  const month = name ? SHORT_MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 : 0
  const read = readDay(month > 0 ? `${day}/${month}/${year}` : said)
  return 'day' in read ? read.day : null
}

/** '2025' is the calendar's year. '2024/25' is every year from 2024 into 2025, so it is kept as both years. */
function yearsOf([, year, , next]: RegExpExecArray): string | null {
  const following = Number(year) + 1
  if (next === undefined) return `${year}-01-01/${year}-12-31`
  return next === String(following).slice(2) ? `${year}-01-01/${following}-12-31` : null
}

/** The days of a quarter or half of the calendar. */
function daysOf(period: Period | null): string | null {
  const part = period?.part
  if (!period || !part || part === 'O') return null
  const months = part.startsWith('Q') ? 3 : 6
  const first = monthsAfter(`${period.year}-01-01`, (Number(part[1]) - 1) * months)
  return `${first}/${daysAfter(monthsAfter(first, months), -1)}`
}
