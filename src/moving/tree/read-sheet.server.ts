import { open } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { readXml } from '../../server/reading/markup.ts'
import { Unreadable } from '../../server/reading/reading-fault.ts'
import { openZip, type UnpackedParts } from '../../server/reading/unzip.ts'

/** A table of some hundred thousand rows. */
const MOST_BYTES = 128 * 1024 * 1024
const MOST_COLUMNS = 100
const MOST_ROWS = 1_100_000

/** Reads the first sheet of an Excel file, or a CSV file in any of the usual encodings, as rows of texts. */
export async function readSheet(path: string): Promise<string[][]> {
  await using handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? new Error(`There is no table ${path}.`, { cause }) : cause
  })
  const { size } = await handle.stat()
  if (size > MOST_BYTES) throw new Error(`${path} is larger than a table can be.`)
  const bytes = await handle.readFile()
  const isExcel = bytes.subarray(0, 2).toString('latin1') === 'PK'
  try {
    return isExcel ? readExcelRows(bytes) : readCsvRows(bytes)
  } catch (error) {
    if (!(error instanceof Unreadable) && !(error instanceof Error && 'code' in error)) throw error
    throw new Error(`${path} is no Excel or CSV file that can be read: ${error.message}`, { cause: error })
  }
}

/** Decodes UTF-8 and UTF-16 with a mark, UTF-8 without, or else Windows-1252. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function readCsvRows(bytes: Buffer): string[][] {
  const text = decode(bytes)
  const head = text.slice(0, text.search(/\r|\n|$/))
  const delimiter = [';', '\t', ','].reduce((best, each) =>
    head.split(each).length > head.split(best).length ? each : best,
  )
  return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: false, relax_quotes: true })
}

function readExcelRows(bytes: Buffer): string[][] {
  const zip = openZip(bytes)
  const shared = readShared(zip)
  const sheet = zip.find(firstSheet(zip))
  if (!sheet) throw new Unreadable('damaged')
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  let type = ''
  let value = ''
  let isValue = false
  readXml(sheet, {
    onOpen: (name, attributes) => {
      if (name === 'row') {
        row = []
        // Rows without anything may be left out.
        const number = Number(attributes.r ?? rows.length + 1)
        if (number < MOST_ROWS) while (rows.length < number - 1) rows.push([])
      } else if (name === 'c') {
        at = attributes.r === undefined ? row.length : columnOf(attributes.r)
        ;[type, value] = [attributes.t ?? 'n', '']
      } else if (name === 'v' || name === 't') isValue = true
    },
    onText: (text) => {
      if (isValue) value += text
    },
    onClose: (name) => {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'row') rows.push(row)
      else if (name === 'c' && value !== '' && at < MOST_COLUMNS) {
        while (row.length < at) row.push('')
        row[at] = unescaped(type === 's' ? (shared[Number(value)] ?? '') : value)
      }
    },
  })
  return rows
}

/** 'C12' is column 2. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]*/.exec(reference)![0]) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** Excel writes some signs as '_x000D_'. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text

/** The texts that cells name by number. */
function readShared(zip: UnpackedParts): string[] {
  const xml = zip.find('xl/sharedStrings.xml')
  const texts: string[] = []
  if (!xml) return texts
  let text = ''
  let isText = false
  let isSound = false
  readXml(xml, {
    onOpen: (name) => {
      if (name === 'si') text = ''
      else if (name === 't') isText = true
      else if (name === 'rPh') isSound = true
    },
    onText: (more) => {
      if (isText && !isSound) text += more
    },
    onClose: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isSound = false
      else if (name === 'si') texts.push(text)
    },
  })
  return texts
}

/** Where the first sheet of the workbook is. */
function firstSheet(zip: UnpackedParts): string {
  const [workbook, relations] = [zip.find('xl/workbook.xml'), zip.find('xl/_rels/workbook.xml.rels')]
  let wanted: string | undefined
  let path = 'xl/worksheets/sheet1.xml'
  if (workbook)
    readXml(workbook, {
      onOpen: (name, attributes) => {
        if (name === 'sheet') wanted ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      },
    })
  if (relations)
    readXml(relations, {
      onOpen: (name, { Id: id, Target: target }) => {
        if (name === 'Relationship' && id === wanted && target !== undefined)
          path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      },
    })
  return path
}
