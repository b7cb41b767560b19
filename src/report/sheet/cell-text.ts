import { cleanCvr } from '../../base/cvr.ts'
import { formatMoney, parseMoney, settleMoney, type MoneyRules } from '../../base/money.ts'
import { readCell } from '../company/check-companies.ts'
import { COLUMNS, MOST_KRONER, type CompanyColumn, type CompanyValues } from '../company/company.ts'

/** The text in each cell of a row. */
export type Texts = Record<CompanyColumn, string>

type Value = string | number | null

export const COLUMN_NAMES: readonly CompanyColumn[] = COLUMNS.map(({ name }) => name)

const SHARE_DECIMALS = 4

/** Whether a column holds numbers. Only text that can become a number may be typed there. */
export const isNumeric = (column: CompanyColumn) => column !== 'name' && column !== 'cvr'

/** Returns the value of a cell's text in Danish notation, or undefined if it is unclear or too large to store. */
export function readText(column: CompanyColumn, text: string): Value | undefined {
  const trimmed = text.trim()
  if (!isNumeric(column)) return trimmed === '' && column === 'cvr' ? null : trimmed
  if (trimmed === '') return null
  if (column === 'year') return /^[1-9]\d{0,14}$/.test(trimmed) ? Number(trimmed) : undefined
  const value = parseMoney(trimmed, { decimals: column === 'share' ? SHARE_DECIMALS : 0 })
  return value === null || Math.abs(value) > MOST_KRONER ? undefined : value
}

/** Whether an amount loses its øre when it is stored. */
export function isRounded(column: CompanyColumn, text: string): boolean {
  return isAmount(column) && readText(column, text) !== undefined && settleMoney(text)?.note !== ''
}

const definitionOf = (column: CompanyColumn): { type: string; min?: number } =>
  COLUMNS.find(({ name }) => name === column)!

const isAmount = (column: CompanyColumn) => definitionOf(column).type === 'currency'

/** Returns the text shown in a cell: '1.234.567', '12,5', '2025'. */
export function showValue(column: CompanyColumn, value: Value): string {
  return written(column, value, true)
}

/** Returns the text shown while editing: without points, so that a digit can be added to 1.234. */
export function editableText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  return value === undefined || !isNumeric(column) ? text : written(column, value, false)
}

/** Returns the text shown after editing. Unclear text stays unchanged. */
export function tidyText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  return value === undefined ? text.trim() : showValue(column, value)
}

/**
 * Returns the text sent to the server: plain numbers, and unclear text unchanged, so that the server can refuse it.
 */
export function sentText(column: CompanyColumn, text: string): string {
  const value = readText(column, text)
  if (value !== undefined) return String(value ?? '')
  return isNumeric(column) && column !== 'year' ? plainly(text.trim()) : text.trim()
}

/**
 * Writes a number in plain notation even if it cannot be stored, so that the server can say what is wrong with it.
 */
function plainly(text: string): string {
  const [, sign, whole, decimals] = /^([-\u2212]?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/.exec(text) ?? []
  if (whole === undefined || (decimals === undefined && !sign && !whole.includes('.'))) return text
  return `${sign && '-'}${whole.replaceAll('.', '')}${decimals === undefined ? '' : `.${decimals}`}`
}

/** Returns the same for two texts with the same meaning. */
export function meaningOf(column: CompanyColumn, text: string): string {
  return column === 'cvr' ? cleanCvr(text) : sentText(column, text)
}

export function textsOf(values: CompanyValues): Texts {
  return mapColumns((column) => showValue(column, values[column]))
}

/** Returns the values of the cells; null for unclear text. */
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

/**
 * Settles a cell after editing: an amount is clamped as S5.9 says, with a note; text that is no number gets a
 * fault. Pasted text is never clamped: it was not mistyped here.
 */
export function settleText(
  column: CompanyColumn,
  text: string,
  isPasted = false,
): { text: string; note?: string; fault?: string } {
  const settled = isAmount(column) && !isPasted ? settleMoney(text, amountRules(column)) : null
  if (settled)
    return { text: showValue(column, settled.value), ...(settled.note !== '' && { note: settled.note }) }
  const tidy = tidyText(column, text)
  const fault = faultOf(column, tidy)
  return { text: tidy, ...(fault !== undefined && { fault }) }
}

/** Tells at once what the server would refuse about a number. */
export function faultOf(column: CompanyColumn, text: string): string | undefined {
  if (!isNumeric(column)) return undefined
  const read = readCell(column, sentText(column, text))
  return 'fault' in read ? read.fault : undefined
}

const amountRules = (column: CompanyColumn): MoneyRules => ({
  min: definitionOf(column).min ?? -MOST_KRONER,
  max: MOST_KRONER,
})
