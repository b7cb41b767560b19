import { openWorkbook } from './excel-parts.ts'
import { readXml } from './markup.ts'
import type { PieceWriter } from './piece-writer.ts'

/** Reads an Excel workbook (.xlsx): each sheet begins a page with its name, and each row is a line. */
export function readExcel(bytes: Buffer, to: PieceWriter): void {
  const { sheets, texts, styles, is1904, find } = openWorkbook(bytes)
  const dates = styles.map(({ isDate }) => isDate)
  for (const { name, path } of sheets) {
    const sheet = find(path)
    if (!sheet) continue
    to.add(name)
    to.endLine()
    readSheet(sheet, to, { texts, dates, is1904 })
    to.breakPage()
  }
}

type Known = { texts: string[]; dates: boolean[]; is1904: boolean }

function readSheet(xml: Buffer, to: PieceWriter, { texts, dates, is1904 }: Known): void {
  let type = ''
  let style = -1
  let value = ''
  let isValue = false
  readXml(xml, {
    onOpen: (name, attributes) => {
      if (name === 'c') [type, style, value] = [attributes.t ?? 'n', Number(attributes.s ?? -1), '']
      else if (name === 'v' || name === 't') isValue = true
    },
    onText: (text) => {
      if (isValue) value += text
    },
    onClose: (name) => {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'row') to.endLine()
      else if (name === 'c' && value !== '') {
        if (type === 's') to.add(texts[Number(value)] ?? '')
        else if (type === 'n') to.add(dates[style] ? writeDate(value, is1904) : writeNumber(value))
        else if (type !== 'b' && type !== 'e') to.add(value)
        to.add('\t')
      }
    },
  })
}

/** '1234.5' becomes '1234,5', as Danes write it; what a computer adds after the fourth decimal is left out. */
export function writeNumber(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  const rounded = Math.abs(number) < 1e15 ? Number(number.toFixed(4)) : number
  return String(rounded).replace('.', ',')
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
const DAYS_UNTIL_1904 = 1462

/** '45291' becomes '31-12-2023'. */
export function writeDate(value: string, is1904 = false): string {
  const days = Math.floor(Number(value)) + (is1904 ? DAYS_UNTIL_1904 : 0)
  if (!(days >= 1 && days < 2_958_466)) return writeNumber(value)
  const date = new Date(FIRST_DAY + days * DAY_MS)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(date.getUTCDate())}-${two(date.getUTCMonth() + 1)}-${date.getUTCFullYear()}`
}
