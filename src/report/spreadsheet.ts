import { cleanLine } from '../base/text.ts'
import { COLUMNS, type CompanyValues } from './company/company.ts'
import { partOf, PARTS, sumsOf } from './sheet/sums.ts'
import {
  cellOf,
  letterOf,
  LOOK,
  rowOf,
  workbookOf,
  worksheetOf,
  type CellValue,
  type Look,
} from './workbook.ts'

/** A column of the sheet, with the sum below it. */
type SheetColumn = {
  text: string
  look: Look
  width: number
  valueOf: (company: CompanyValues) => CellValue
  sum?: number
}

/** Returns the parts of an Excel file: the report as on its page, with the investor's parts and the sums. */
export function spreadsheetOf(
  person: string,
  companies: readonly CompanyValues[],
  office = '',
): { name: string; text: string }[] {
  const sheet = sheetOf({ person, office }, columnsOf(companies), companies)
  return workbookOf([{ name: 'Rapport', sheet }])
}

/** Returns 'Rapport Søren Kjærgaard 2026-11-15.xlsx', without characters that a file name cannot have. */
export function spreadsheetName(person: string, date: string): string {
  const name = cleanLine(person).replaceAll(/[/\\:*?"<>|]/g, '-')
  return `Rapport ${name.slice(0, 100).trim()} ${date}.xlsx`
}

function columnsOf(companies: readonly CompanyValues[]): SheetColumn[] {
  const { amounts, parts } = sumsOf(companies)
  const longest = Math.max(0, ...companies.map(({ name }) => name.length))
  const own = COLUMNS.map((column): SheetColumn => {
    const { name, text } = column
    const valueOf = (company: CompanyValues) => company[name]
    if (column.type === 'currency')
      return { text, look: 'kroner', width: 16, valueOf, sum: amounts[column.name] }
    if (name === 'name')
      return { text, look: 'text', width: Math.min(Math.max(longest + 2, 20), 50), valueOf }
    if (name === 'share') return { text, look: 'share', width: 12, valueOf: ({ share }) => fractionOf(share) }
    return { text, look: name === 'year' ? 'year' : 'text', width: 14, valueOf }
  })
  const ofParts = PARTS.map(({ name, text }): SheetColumn => ({
    text,
    look: 'kroner',
    width: 16,
    valueOf: (company) => partOf(company.share, company[name]),
    sum: parts[name],
  }))
  return [...own, ...ofParts]
}

/** 33.3333 % is 0.333333. Dividing by 100 would give slightly less. */
const fractionOf = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 1_000_000)

function sheetOf(
  { person, office }: { person: string; office: string },
  columns: SheetColumn[],
  companies: readonly CompanyValues[],
): string {
  const last = companies.length + 1
  const sums = companies.length > 0 ? [sumRow(columns, last)] : []
  const rows = [
    headRow(columns),
    ...companies.map((company, index) =>
      rowOf(
        index + 2,
        columns.map(({ look, valueOf }, at) => cellOf(at, index + 2, look, valueOf(company))),
      ),
    ),
    ...sums,
  ]
  const cvr = letterOf(COLUMNS.findIndex(({ name }) => name === 'cvr'))
  return worksheetOf({
    rows,
    widths: columns.map(({ width }) => width),
    title: `Eksterne K/S-selskaber: ${person}`,
    office,
    numbersAsText: `${cvr}1:${cvr}${last}`,
  })
}

const headRow = (columns: SheetColumn[]) =>
  rowOf(
    1,
    columns.map(({ text, look }, at) => cellOf(at, 1, look === 'text' ? 'head' : 'figureHead', text)),
    ' ht="32" customHeight="1"', // two lines
  )

/** Writes both the formula, for editing the sheet, and its result, for programs that only show it. */
function sumRow(columns: SheetColumn[], last: number): string {
  const cells = columns.map(({ sum }, at) => {
    if (sum === undefined) return cellOf(at, last + 1, 'sumText', at === 0 ? 'Sum' : null)
    const column = letterOf(at)
    const formula = `<f>SUM(${column}2:${column}${last})</f>`
    return `<c r="${column}${last + 1}" s="${LOOK.sum}">${formula}<v>${sum}</v></c>`
  })
  return rowOf(last + 1, cells)
}
