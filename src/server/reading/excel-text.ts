import { readXml } from './markup.ts'
import { MOST_TEXT_BYTES, type PieceWriter } from './piece-writer.ts'
import { Unreadable } from './reading-fault.ts'
import { openZip, type UnpackedParts } from './unzip.ts'

/** Reads an Excel workbook (.xlsx): each sheet begins a page with its name, and each row is a line. */
export function readExcel(bytes: Buffer, to: PieceWriter): void {
  const zip = openZip(bytes)
  const workbook = zip.find('xl/workbook.xml')
  if (!workbook) throw new Unreadable('damaged')
  const { sheets, is1904 } = listSheets(workbook, zip)
  const texts = readShared(zip)
  const dates = readDateStyles(zip)
  for (const { name, path } of sheets) {
    const sheet = zip.find(path)
    if (!sheet) continue
    to.add(name)
    to.endLine()
    readSheet(sheet, to, { texts, dates, is1904 })
    to.breakPage()
  }
}

type Sheet = { name: string; path: string }

function listSheets(workbook: Buffer, zip: UnpackedParts): { sheets: Sheet[]; is1904: boolean } {
  const targets = new Map<string, string>()
  const relations = zip.find('xl/_rels/workbook.xml.rels')
  if (relations)
    readXml(relations, {
      onOpen: (name, { Id: id, Target: target }) => {
        if (name !== 'Relationship' || id === undefined || target === undefined) return
        targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
      },
    })
  const sheets: Sheet[] = []
  let is1904 = false
  readXml(workbook, {
    onOpen: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const path = targets.get(id) ?? `xl/worksheets/sheet${sheets.length + 1}.xml`
      sheets.push({ name: attributes.name ?? '', path })
    },
  })
  return { sheets, is1904 }
}

/** Returns the texts that cells name by number. */
function readShared(zip: UnpackedParts): string[] {
  const xml = zip.find('xl/sharedStrings.xml')
  const texts: string[] = []
  if (!xml) return texts
  let text = ''
  let isText = false
  let isSound = false // how a text is said, in other languages
  let letters = 0
  readXml(xml, {
    onOpen: (name) => {
      if (name === 'si') text = ''
      else if (name === 't') isText = true
      else if (name === 'rPh') isSound = true
    },
    onText: (more) => {
      if (!isText || isSound) return
      text += more
      letters += more.length
      if (letters > MOST_TEXT_BYTES) throw new Unreadable('bomb')
    },
    onClose: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isSound = false
      else if (name === 'si') texts.push(text)
    },
  })
  return texts
}

/** Excel's own formats of dates, and of times with a date. */
const isOwnDate = (id: number) => (id >= 14 && id <= 17) || id === 22
/** 'dd/mm/yyyy', but not '"Moms" 0' or '[Red]0'. */
const hasDay = (format: string) => /[dy]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

/** Returns for each style of cells whether it shows a date. */
function readDateStyles(zip: UnpackedParts): boolean[] {
  const xml = zip.find('xl/styles.xml')
  const styles: boolean[] = []
  if (!xml) return styles
  const own = new Map<number, boolean>()
  let isCells = false
  readXml(xml, {
    onOpen: (name, attributes) => {
      const id = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmt') own.set(id, hasDay(attributes.formatCode ?? ''))
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) styles.push(own.get(id) ?? isOwnDate(id))
    },
    onClose: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
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
