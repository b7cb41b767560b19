import { cleanCvr } from '../base/cvr.ts'
import { formatMoney, parseMoney } from '../base/money.ts'
import { COLUMNS, type CompanyColumn, type CompanyValues } from './company.ts'

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
  const danish = /^[-\u2212]?\d+\.\d{1,2}$/.test(trimmed) ? trimmed.replace('.', ',') : trimmed
  return parseMoney(danish, { decimals: column === 'share' ? SHARE_DECIMALS : 0 }) ?? undefined
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
  return value === undefined ? text.trim() : String(value ?? '')
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

/** A bound does not change an amount without a word: what is said, and what it becomes. Numbers are told of alone. */
export function outOfBounds(column: CompanyColumn, text: string): { note: string; text: string } | null {
  const definition: { type: string; min?: number } = COLUMNS.find(({ name }) => name === column)!
  const { type, min } = definition
  const value = readText(column, text)
  if (min === undefined || typeof value !== 'number' || value >= min) return null
  const least = written(column, min, true)
  return type === 'currency'
    ? { note: `Beløbet skal være mindst ${least}.`, text: least }
    : { note: `Tallet skal være mindst ${least}.`, text }
}
