import { cleanCvr } from '../base/cvr.ts'
import { formatMoney, parseMoney } from '../base/money.ts'
import { COLUMNS, MOST_KRONER, type CompanyColumn, type CompanyValues } from './company.ts'

/** What stands in each cell of a row. */
export type Texts = Record<CompanyColumn, string>

type Value = string | number | null

export const COLUMN_NAMES: readonly CompanyColumn[] = COLUMNS.map(({ name }) => name)

const SHARE_DECIMALS = 4

/** Whether a cell holds a number: then only what may become one can be typed. */
export const isNumeric = (column: CompanyColumn) => column !== 'name' && column !== 'cvr'

/** What a cell's text says, written the Danish way; '12.5' can only be one thing, and is that. Undefined: there is no telling. */
export function readText(column: CompanyColumn, text: string): Value | undefined {
  const trimmed = text.trim()
  if (!isNumeric(column)) return trimmed === '' && column === 'cvr' ? null : trimmed
  if (trimmed === '') return null
  if (column === 'year') return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined
  const danish = asDanish(trimmed)
  // '1,234' may be a thousand, written elsewhere; and a share is not rounded.
  const most = column === 'share' ? SHARE_DECIMALS : ORE_DECIMALS
  if (decimalsOf(danish) > most) return undefined
  const value = parseMoney(danish, { decimals: column === 'share' ? SHARE_DECIMALS : 0 }) ?? undefined
  // Larger than any that can be kept: the server says so of what was written, not of what it became.
  return value !== undefined && column !== 'share' && Math.abs(value) > MOST_KRONER ? undefined : value
}

const ORE_DECIMALS = 2

const asDanish = (text: string) => (/^[-\u2212]?\d+\.\d{1,2}$/.test(text) ? text.replace('.', ',') : text)

const decimalsOf = (text: string) => /,(\d*)$/.exec(text)?.[1]?.length ?? 0

/** Whether an amount loses its øre where it is written down. */
export function isRounded(column: CompanyColumn, text: string): boolean {
  if (!isNumeric(column) || column === 'share' || column === 'year') return false
  const danish = asDanish(text.trim())
  return readText(column, text) !== undefined && /,\d*[1-9]/.test(danish)
}

/** As it stands in the cell: '1.234.567', '12,5', '2025'. */
export function showValue(column: CompanyColumn, value: Value): string {
  return written(column, value, true)
}

/** As it stands in the cell while it is written in: without points, so that a digit can be added to 1.234. */
export function editableText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  return value === undefined || !isNumeric(column) ? text : written(column, value, false)
}

/** As it stands in the cell that has been left; what says nothing sure stays as it is. */
export function tidyText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  return value === undefined ? text.trim() : showValue(column, value)
}

/** As it is sent: numbers plainly, and what is none as it is, so that the server can say so. */
export function sentText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  if (value !== undefined) return String(value ?? '')
  return isNumeric(column) && column !== 'year' ? plainly(text.trim()) : text.trim()
}

/** A number that cannot be kept is still a number to the server, who says what is wrong with it. */
function plainly(text: string): string {
  const [, sign, whole, decimals] = /^([-\u2212]?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/.exec(text) ?? []
  if (whole === undefined || (decimals === undefined && !sign && !whole.includes('.'))) return text
  return `${sign && '-'}${whole.replaceAll('.', '')}${decimals === undefined ? '' : `.${decimals}`}`
}

/** The same for two texts that say the same. */
export function meaningOf(column: CompanyColumn, text: string): string {
  return column === 'cvr' ? cleanCvr(text) : sentText(column, text)
}

export function textsOf(values: CompanyValues): Texts {
  return mapColumns((column) => showValue(column, values[column]))
}

/** What the cells say; what says nothing sure counts as nothing. */
export function valuesOf(texts: Texts): CompanyValues {
  return mapColumns((column) => readText(column, texts[column]) ?? null) as CompanyValues
}

export const NO_TEXTS: Texts = mapColumns(() => '')

function mapColumns<Each>(give: (column: CompanyColumn) => Each): Record<CompanyColumn, Each> {
  return Object.fromEntries(COLUMN_NAMES.map((column) => [column, give(column)])) as Record<
    CompanyColumn,
    Each
  >
}

function written(column: CompanyColumn, value: Value, grouping: boolean): string {
  if (typeof value !== 'number') return value ?? ''
  if (column === 'year') return String(value)
  const decimals = column === 'share' ? (String(value).split('.')[1]?.length ?? 0) : 0
  return formatMoney(value, { decimals, grouping })
}

const bounded = (column: CompanyColumn, value: Value | undefined, min = -Infinity) =>
  written(column, typeof value === 'number' ? Math.max(value, min) : (value ?? null), true)

/** A bound, or whole kroner, does not change an amount without a word: what is said, and what it becomes. Numbers are told of alone. */
export function outOfBounds(column: CompanyColumn, text: string): { note: string; text: string } | null {
  const definition: { type: string; min?: number } = COLUMNS.find(({ name }) => name === column)!
  const { type, min } = definition
  const value = readText(column, text)
  if (isRounded(column, text)) return { note: 'Afrundet til hele kroner.', text: bounded(column, value, min) }
  if (min === undefined || typeof value !== 'number' || value >= min) return null
  const least = written(column, min, true)
  return type === 'currency'
    ? { note: `Beløbet skal være mindst ${least}.`, text: least }
    : { note: `${column === 'year' ? 'Regnskabsåret' : 'Tallet'} skal være mindst ${least}.`, text }
}
