import { cleanCvr } from '../base/cvr.ts'
import { formatMoney, parseMoney, settleMoney, type MoneyRules } from '../base/money.ts'
import { readCell } from './check-companies.ts'
import { COLUMNS, MOST_KRONER, type CompanyColumn, type CompanyValues } from './company.ts'

/** What stands in each cell of a row. */
export type Texts = Record<CompanyColumn, string>

type Value = string | number | null

export const COLUMN_NAMES: readonly CompanyColumn[] = COLUMNS.map(({ name }) => name)

const SHARE_DECIMALS = 4

/** Whether a cell holds a number: then only what may become one can be typed. */
export const isNumeric = (column: CompanyColumn) => column !== 'name' && column !== 'cvr'

/** What a cell's text says, written the Danish way. Undefined: there is no telling, or it is larger than any that can be kept. */
export function readText(column: CompanyColumn, text: string): Value | undefined {
  const trimmed = text.trim()
  if (!isNumeric(column)) return trimmed === '' && column === 'cvr' ? null : trimmed
  if (trimmed === '') return null
  if (column === 'year') return /^[1-9]\d{0,14}$/.test(trimmed) ? Number(trimmed) : undefined
  const value = parseMoney(trimmed, { decimals: column === 'share' ? SHARE_DECIMALS : 0 })
  return value === null || Math.abs(value) > MOST_KRONER ? undefined : value
}

/** Whether an amount loses its øre where it is written down. */
export function isRounded(column: CompanyColumn, text: string): boolean {
  return isAmount(column) && readText(column, text) !== undefined && settleMoney(text)?.note !== ''
}

const definitionOf = (column: CompanyColumn): { type: string; min?: number } =>
  COLUMNS.find(({ name }) => name === column)!

const isAmount = (column: CompanyColumn) => definitionOf(column).type === 'currency'

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

/**
 * What becomes of a cell that has been left: an amount is clamped as S5.9 says, with a note; what is no number gets a fault.
 * What was pasted is never clamped: it was not misspelt here.
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

/** What the server will say of a number, said at once. */
export function faultOf(column: CompanyColumn, text: string): string | undefined {
  if (!isNumeric(column)) return undefined
  const read = readCell(column, sentText(column, text))
  return 'fault' in read ? read.fault : undefined
}

const amountRules = (column: CompanyColumn): MoneyRules => ({
  min: definitionOf(column).min ?? -MOST_KRONER,
  max: MOST_KRONER,
})
