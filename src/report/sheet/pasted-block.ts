import { isNumeric, isRounded, readText, showValue } from './cell-text.ts'
import { COLUMNS, type CompanyColumn } from '../company/company.ts'

/**
 * Splits text copied from a spreadsheet into cells: tabs between columns, line ends between rows. A cell that
 * contains either is in quotes.
 */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at <= text.length) {
    const quoted = matchAt(QUOTED, text, at)
    const cell = quoted ?? matchAt(PLAIN, text, at)!
    rows.at(-1)!.push(quoted ? quoted.slice(1, -1).replaceAll('""', '"') : cell)
    at += cell.length
    const end = matchAt(END, text, at)
    if (end === null) break
    at += end.length
    if (end !== '\t') rows.push([])
  }
  // The last line has a line end too.
  if (rows.length > 1 && rows.at(-1)!.join('') === '') rows.pop()
  return rows
}

const QUOTED = /"(?:[^"]|"")*"(?=[\t\r\n]|$)/y
const PLAIN = /[^\t\r\n]*/y
const END = /\t|\r\n|\n|\r/y

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

/**
 * Returns a pasted cell in our notation: '(1.000)' becomes '-1.000', 'kr. 500' becomes '500'. Unclear text stays
 * unchanged.
 */
export function pastedText(column: CompanyColumn, cell: string): string {
  const line = cell.replaceAll(/\s+/g, ' ').trim()
  if (!isNumeric(column)) return line
  const bare = bareNumber(line)
  const value = bare === '' ? undefined : readText(column, bare)
  return value === undefined ? line : showValue(column, value)
}

/** Strips the currency and the percent sign, and writes every form of negative with a leading minus. */
function bareNumber(line: string): string {
  const bare = line
    .replace(/^([-\u2212]?)\s*(?:kr\.?|dkk)\s*/i, '$1')
    .replace(/\s*(?:kr\.?|dkk|%|pct\.?)$/i, '')
    .replace(/,[-\u2013]$/, '') // '500,-'
    .trim()
  const negative = /^\((?<inside>[^()]+)\)$|^(?<before>[^-\u2212]+)[-\u2212]$/.exec(bare)?.groups
  const amount = negative?.inside ?? negative?.before
  return amount === undefined ? bare : `-${amount.replace(/^(?:kr\.?|dkk)\s*/i, '').trim()}`
}

type Placed = { row: number; column: CompanyColumn; text: string; isRounded?: boolean }

export type PlacedBlock = {
  cells: Placed[]
  /** How many rows are added at the end. */
  added: number
  /** Parts left out: cells that may not be edited, rows beyond the largest table, and columns beyond the last. */
  locked: number
  rowsLeft: number
  columnsLeft: number
}

/**
 * Places a block from one cell on; `row` may be the one after the last. Skips a first row that repeats the
 * headings.
 */
export function placeBlock(
  block: readonly (readonly string[])[],
  from: { row: number; column: CompanyColumn },
  rows: readonly { editable: readonly string[] }[],
  most: number,
): PlacedBlock {
  const first = COLUMNS.findIndex(({ name }) => name === from.column)
  const columns = COLUMNS.slice(first)
  const body = isHead(block[0] ?? [], columns) ? block.slice(1) : block
  const fitting = body.slice(0, Math.max(0, most - from.row))
  const placed: PlacedBlock = {
    cells: [],
    added: Math.max(0, from.row + fitting.length - rows.length),
    locked: 0,
    rowsLeft: body.length - fitting.length,
    columnsLeft: Math.max(
      0,
      ...body.map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1 - columns.length),
    ),
  }
  for (const [down, cells] of fitting.entries()) {
    const row = from.row + down
    for (const [right, cell] of cells.slice(0, columns.length).entries()) {
      const column = columns[right]!.name
      const isOpen = rows[row]?.editable.includes(column) ?? true
      if (isOpen)
        placed.cells.push({
          row,
          column,
          text: pastedText(column, cell),
          ...(isRounded(column, bareNumber(cell)) && { isRounded: true }),
        })
      else placed.locked++
    }
  }
  return placed
}

const isHead = (cells: readonly string[], columns: readonly { text: string }[]) =>
  cells.length > 1 &&
  cells
    .slice(0, columns.length)
    .every((cell, index) => cell.trim().toLowerCase() === columns[index]!.text.toLowerCase())

/** Returns the message about a paste. Mentions everything that was left out. */
export function pasteText(
  { cells, added, locked, rowsLeft, columnsLeft }: PlacedBlock,
  most: string,
): string {
  const rows = new Set(cells.map(({ row }) => row)).size
  const rounded = cells.filter((cell) => cell.isRounded).length
  return [
    `${count(cells.length, 'celle', 'celler')} i ${count(rows, 'række', 'rækker')} er sat ind${
      added > 0 ? `, heraf ${count(added, 'ny række', 'nye rækker')}` : ''
    }.`,
    rounded > 0 && `${count(rounded, 'beløb', 'beløb')} er afrundet til hele kroner.`,
    locked > 0 && `${count(locked, 'låst celle er sprunget', 'låste celler er sprunget')} over.`,
    rowsLeft > 0 &&
      `${count(rowsLeft, 'række', 'rækker')} kom ikke med, for der kan højst være ${most} selskaber.`,
    columnsLeft > 0 && `${count(columnsLeft, 'kolonne', 'kolonner')} var der ikke plads til.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`
