import { openWorkbook, type Workbook } from './excel-parts.ts'
import { writeDate } from './excel-text.ts'
import { readXml } from './markup.ts'
import { Unreadable } from './reading-fault.ts'
import type { TableWriter } from './table-writer.ts'

/** Reads the cells of an Excel workbook (.xlsx), as texts. Of a formula, that is the value that Excel last found. */
export function readExcelTables(bytes: Buffer, to: TableWriter): void {
  const workbook = openWorkbook(bytes)
  for (const { name, path, isHidden } of workbook.sheets) {
    const sheet = workbook.find(path)
    if (!sheet) continue
    if (!to.begin(name, isHidden)) break
    readSheet(sheet, workbook, to)
    to.end()
  }
}

type Cell = { at: number; type: string; style: number; text: string; hasFormula: boolean; hasValue: boolean }

function readSheet(xml: Buffer, workbook: Workbook, to: TableWriter): void {
  let row = 0
  let cells: (string | undefined)[] = []
  let cell: Cell | null = null
  let isText = false
  let isSound = false
  readXml(xml, {
    onOpen: (name, attributes) => {
      if (name === 'row') {
        row = placeIn(attributes.r, row + 1)
        cells = []
      } else if (name === 'c') {
        const at = attributes.r === undefined ? cells.length : columnOf(attributes.r)
        const { t: type = 'n', s: style = -1 } = attributes
        cell = { at, type, style: Number(style), text: '', hasFormula: false, hasValue: false }
      } else if (name === 'f' && cell) cell.hasFormula = true
      else if (name === 'v' || name === 't') {
        isText = true
        if (cell) cell.hasValue = true
      } else if (name === 'rPh') isSound = true
      else if (name === 'mergeCell') to.addMerged(attributes.ref ?? '')
    },
    onText: (text) => {
      if (cell && isText && !isSound) cell.text += text
    },
    onClose: (name) => {
      if (name === 'v' || name === 't') isText = false
      else if (name === 'rPh') isSound = false
      else if (name === 'row') to.addRow(row, cells)
      else if (name === 'c' && cell) {
        cells[cell.at] = textOf(cell, row, workbook, to)
        cell = null
      }
    },
  })
}

/** Rows and columns beyond Excel's own limits are damage, or a joke. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

function placeIn(text: string | undefined, next: number): number {
  const place = text === undefined ? next : Number(text)
  if (!Number.isInteger(place) || place < 1 || place > MOST_ROWS) throw new Unreadable('damaged')
  return place
}

/** 'AB12' is 27. */
function columnOf(address: string): number {
  const letters = /^\$?([A-Z]{1,3})\$?\d{1,7}$/.exec(address)?.[1]
  if (letters === undefined) throw new Unreadable('damaged')
  const at = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  if (at >= MOST_COLUMNS) throw new Unreadable('damaged')
  return at
}

function textOf(cell: Cell, row: number, { texts, styles, is1904 }: Workbook, to: TableWriter): string {
  const { at, type, text, style } = cell
  if (cell.hasFormula && !cell.hasValue) {
    to.addTrouble('formula', row, at)
    return ''
  }
  if (type === 's') return texts[Number(text)] ?? ''
  if (type === 'e') {
    to.addTrouble('error', row, at)
    return ''
  }
  if (type === 'b') return text === '1' ? 'Ja' : 'Nej'
  if (type !== 'n' || text === '') return unescaped(text)
  const { isDate = false, zeros = 0 } = styles[style] ?? {}
  if (isDate) return isoDay(writeDate(text, is1904))
  // Excel stores 15 digits and loses the rest.
  if (Math.abs(Number(text)) >= 1e15) to.addTrouble('digits', row, at)
  return numberText(text).padStart(zeros, '0')
}

/** '31-12-2023' becomes '2023-12-31'. What is no day stays. */
const isoDay = (day: string) => day.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$2-$1')

/** '1024.0' becomes '1024' and '0.1' becomes '0,1'; what a computer adds in the last digits is left out. */
function numberText(text: string): string {
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  return String(Number(number.toPrecision(15))).replace('.', ',')
}

/** Excel writes signs that XML cannot have as '_x000D_'. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
