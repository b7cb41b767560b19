import { crc32, deflateRawSync } from 'node:zlib'
import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { centralHeader, endOf, localHeader, type ZipEntry } from '../../src/base/zip-format.ts'

/** Writes an archive of deflated parts. */
export function writeZip(parts: Record<string, Buffer | string>): Buffer {
  const pieces: Uint8Array[] = []
  const entries: { entry: ZipEntry; offset: number }[] = []
  let at = 0
  const push = (piece: Uint8Array) => {
    pieces.push(piece)
    at += piece.length
  }
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const entry: ZipEntry = {
      name,
      method: 'deflated',
      crc32: crc32(bytes),
      packed: packed.length,
      size: bytes.length,
      modified: { utc: 1_700_000_000, local: 1_700_000_000 },
    }
    entries.push({ entry, offset: at })
    push(localHeader(entry))
    push(packed)
  }
  const offset = at
  for (const each of entries) push(centralHeader(each.entry, each.offset))
  push(endOf({ entries: entries.length, offset, length: at - offset }))
  return Buffer.concat(pieces)
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const TYPES = 'application/vnd.openxmlformats-officedocument'

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const typesPart = (part: string, type: string) =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${TYPES}.${type}"/></Types>`

/** Writes a Word document of these paragraphs, or with a body of XML. */
export function writeWord(body: string[] | string, more: Record<string, string> = {}, dtd = ''): Buffer {
  const inside =
    typeof body === 'string'
      ? body
      : body
          .map((text) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`)
          .join('')
  return writeZip({
    '[Content_Types].xml': typesPart('word/document.xml', 'wordprocessingml.document.main+xml'),
    'word/document.xml': `${XML}${dtd}<w:document ${W}><w:body>${inside}</w:body></w:document>`,
    ...more,
  })
}

type Cell = string | number | Date

/** Writes an Excel workbook with these rows on each of its sheets. */
export function writeExcel(sheets: Record<string, Cell[][]>, more: Record<string, string> = {}): Buffer {
  const texts: string[] = []
  const cell = (value: Cell) => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`
    if (value instanceof Date)
      return `<c s="1"><v>${(value.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000}</v></c>`
    return `<c t="s"><v>${texts.push(value) - 1}</v></c>`
  }
  const names = Object.keys(sheets)
  const parts = Object.values(sheets).map((rows, index): [string, string] => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `${XML}<worksheet ${S}><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
  ])
  const list = names.map(
    (name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  const relations = names.map(
    (_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  return writeZip({
    '[Content_Types].xml': typesPart('xl/workbook.xml', 'spreadsheetml.sheet.main+xml'),
    'xl/workbook.xml': `${XML}<workbook ${S} ${R}><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships>${relations.join('')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${S}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${XML}<sst ${S}>${texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(parts),
    ...more,
  })
}

/** Writes a mail as Outlook saves it (.msg), with a subject, a sender and a text. */
export function writeOutlookMail({ subject = '', sender = '', body = '' }): Buffer {
  const [document, root] = [2, 5]
  const texts = { '0037': subject, '0c1a': sender, '1000': body }
  const streams = Object.entries(texts).map(([tag, text]) => {
    const bytes = Buffer.from(text, 'utf16le')
    return { name: `__substg1.0_${tag.toUpperCase()}001F`, type: document, length: bytes.length, bytes }
  })
  const properties = Buffer.alloc(32)
  const all = [
    { name: '__properties_version1.0', type: document, length: properties.length, bytes: properties },
    ...streams,
  ]
  const children = all.map((_, index) => index + 1)
  const entries = [
    { name: 'Root Entry', type: root, length: 0, children },
    ...all.map(({ bytes, ...entry }) => ({ ...entry, binaryProvider: () => Uint8Array.from(bytes) })),
  ]
  return Buffer.from(burn(entries))
}
