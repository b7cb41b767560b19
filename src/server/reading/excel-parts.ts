import { readXml } from './markup.ts'
import { MOST_TEXT_BYTES } from './piece-writer.ts'
import { Unreadable } from './reading-fault.ts'
import { openZip, type UnpackedParts } from './unzip.ts'

/** An Excel workbook (.xlsx), with what its sheets share. */
export type Workbook = {
  sheets: Sheet[]
  /** The texts that cells name by number. */
  texts: string[]
  /** How cells are shown, by the number of their style. */
  styles: CellStyle[]
  /** Days are counted from 1904, as on old Macs. */
  is1904: boolean
  /** Returns the bytes of a part. */
  find: (path: string) => Buffer | null
}

/** `zeros` is how many digits a number has at least: 4 for the format '0000', which shows 102 as '0102'. */
type CellStyle = { isDate: boolean; zeros: number }

/** Opens a workbook. Throws `Unreadable` if it is none. */
export function openWorkbook(bytes: Buffer): Workbook {
  const zip = openZip(bytes)
  const workbook = zip.find('xl/workbook.xml')
  if (!workbook) throw new Unreadable('damaged')
  return {
    ...listSheets(workbook, zip),
    texts: readShared(zip),
    styles: readStyles(zip),
    find: (path) => zip.find(path),
  }
}

type Sheet = { name: string; path: string; isHidden: boolean }

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
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.name ?? '', path, isHidden })
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
  let isSound = false // pronunciation of a text, in other languages
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

const zerosOf = (format: string) => (/^0+$/.test(format) ? format.length : 0)

function readStyles(zip: UnpackedParts): CellStyle[] {
  const xml = zip.find('xl/styles.xml')
  const styles: CellStyle[] = []
  if (!xml) return styles
  const own = new Map<number, CellStyle>()
  let isCells = false
  readXml(xml, {
    onOpen: (name, attributes) => {
      const id = Number(attributes.numFmtId ?? 0)
      const { formatCode: format = '' } = attributes
      if (name === 'numFmt') own.set(id, { isDate: hasDay(format), zeros: zerosOf(format) })
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) styles.push(own.get(id) ?? { isDate: isOwnDate(id), zeros: 0 })
    },
    onClose: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}
