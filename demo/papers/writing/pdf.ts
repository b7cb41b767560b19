/** The content of a page, from the top down. A text is a paragraph; an empty text is a blank line. */
export type Line =
  | string
  | { heading: string }
  | { row: string[]; as?: 'head' | 'total' } // the first cell is left-aligned, the others right-aligned
  | { signatures: string[] }
  | { newPage: true }

export type PdfText = {
  title: string
  /** The letterhead above the title: the sender and the subject. */
  from: string
  reference: string
  lines: Line[]
}

/** Returns a small A4 document in Helvetica. The same text gives the same bytes. */
export function pdf({ title, from, reference, lines }: PdfText): Buffer {
  const pages = layOut({ title, from, reference, lines })
  const foot = (index: number) => footer(title, `Side ${index + 1} af ${pages.length}`)
  return assemble(
    title,
    pages.map((page, index) => [...page, ...foot(index)].join('\n')),
  )
}

/** Returns several documents in one, each with its own page numbers. */
export function pdfOfMany(title: string, texts: PdfText[]): Buffer {
  const pages = texts.flatMap((each) =>
    layOut(each).map((page, index, all) =>
      [...page, ...footer(each.title, `Side ${index + 1} af ${all.length}`)].join('\n'),
    ),
  )
  return assemble(title, pages)
}

// Points: 72 to the inch.
const PAGE = { width: 595, height: 842, left: 64, right: 531, top: 778, bottom: 78 }
const COLUMN = 92
const TEXT = 10
const GREY = '0.42 g'
const BLACK = '0 g'

type Font = 'F1' | 'F2'

/** Returns the drawing commands of each page. */
function layOut({ title, from, reference, lines }: PdfText): string[][] {
  let y = PAGE.top
  let page: string[] = [
    BLACK,
    ...text(from, PAGE.left, y, 9, 'F2'),
    ...textEndingAt(reference, PAGE.right, y, 9),
    rule(y - 8),
  ]
  const pages = [page]
  const turn = () => {
    page = [BLACK]
    pages.push(page)
    y = PAGE.top
  }
  /** Moves down by a height, and leaves room below: a heading needs its first lines on the same page. */
  const down = (height: number, more = 0) => {
    if (y - height - more < PAGE.bottom) turn()
    y -= height
  }
  y -= 22
  for (const part of wrapped(title, 17, 'F2')) {
    down(23)
    page.push(...text(part, PAGE.left, y, 17, 'F2'))
  }
  y -= 8
  for (const line of lines) {
    if (typeof line === 'string') {
      for (const part of wrapped(line, TEXT, 'F1')) {
        down(14)
        page.push(...text(part, PAGE.left, y, TEXT))
      }
      y -= line === '' ? 0 : 4
    } else if ('heading' in line) {
      down(26, 40)
      page.push(...text(line.heading, PAGE.left, y, 11.5, 'F2'))
      y -= 4
    } else if ('row' in line) {
      down(line.as === 'total' ? 17 : 15)
      page.push(...row(line.row, y, line.as))
      y -= line.as ? 4 : 0
    } else if ('signatures' in line) {
      down(54)
      page.push(...signatures(line.signatures, y))
    } else turn()
  }
  return pages
}

function row(cells: string[], y: number, as?: 'head' | 'total'): string[] {
  const font = as ? 'F2' : 'F1'
  const drawn = cells.flatMap((cell, index) =>
    index === 0
      ? text(cell, PAGE.left, y, TEXT, font)
      : textEndingAt(cell, PAGE.right - (cells.length - 1 - index) * COLUMN, y, TEXT, font),
  )
  if (as === 'head') drawn.push(rule(y - 4))
  if (as === 'total') drawn.push(rule(y + 11))
  return drawn
}

function signatures(names: string[], y: number): string[] {
  const width = (PAGE.right - PAGE.left) / 3
  return names.flatMap((name, index) => {
    const x = PAGE.left + index * width
    return [rule(y + 11, x, x + width - 18), ...text(name, x, y, 9)]
  })
}

function footer(title: string, number: string): string[] {
  const y = 44
  return [rule(y + 14), GREY, ...text(title, PAGE.left, y, 8), ...textEndingAt(number, PAGE.right, y, 8)]
}

function rule(y: number, from = PAGE.left, to = PAGE.right): string {
  return `0.6 G 0.5 w ${short(from)} ${short(y)} m ${short(to)} ${short(y)} l S`
}

function text(what: string, x: number, y: number, size: number, font: Font = 'F1'): string[] {
  return what === '' ? [] : [`BT /${font} ${size} Tf ${short(x)} ${short(y)} Td ${literal(what)} Tj ET`]
}

function textEndingAt(what: string, x: number, y: number, size: number, font: Font = 'F1'): string[] {
  return text(what, x - widthOf(what, size, font), y, size, font)
}

function wrapped(what: string, size: number, font: Font): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of what.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, size, font) > PAGE.right - PAGE.left) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function short(points: number): string {
  return String(Math.round(points * 100) / 100)
}

/** Returns a text as a PDF string, one byte per character. */
function literal(what: string): string {
  return `(${winAnsi(what).replaceAll(/[\\()]/g, (sign) => `\\${sign}`)})`
}

// The characters in which Windows-1252 differs from Latin-1.
const WINDOWS: Record<string, number> = {
  '€': 0x80,
  '…': 0x85,
  '’': 0x92,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
}

/** Returns each character as the one whose code is its byte. */
function winAnsi(what: string): string {
  return what.normalize('NFC').replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, (character) => {
    const code = WINDOWS[character]
    if (!code) throw new Error(`WinAnsi has no ${JSON.stringify(character)}, in ${JSON.stringify(what)}.`)
    return String.fromCharCode(code)
  })
}

// Helvetica's widths, in thousandths of the size, from the space to the tilde.
const WIDTHS: Record<Font, number[]> = {
  F1: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ],
  F2: [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
    556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
    556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
    333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
  ],
}
const WIDE: Record<string, number> = {
  æ: 889,
  Æ: 1000,
  ø: 611,
  Ø: 778,
  Å: 722,
  '²': 333,
  '•': 350,
  '…': 1000,
}

function widthOf(what: string, size: number, font: Font): number {
  let width = 0
  for (const character of what) {
    width += WIDTHS[font][character.charCodeAt(0) - 0x20] ?? WIDE[character] ?? 556
  }
  return (width * size) / 1000
}

/** Returns the objects of the file, and the table with the offset of each. */
function assemble(title: string, contents: string[]): Buffer {
  const kids = contents.map((_, index) => `${6 + index * 2} 0 R`)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/Lang(da-DK)/ViewerPreferences<</DisplayDocTitle true>>>>',
    `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(' ')}]>>`,
    `<</Title<${utf16(title)}>/Producer(Ringbind)>>`,
    fontObject('Helvetica'),
    fontObject('Helvetica-Bold'),
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${PAGE.width} ${PAGE.height}]` +
        `/Resources<</Font<</F1 4 0 R/F2 5 0 R>>>>/Contents ${7 + index * 2} 0 R>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ]),
  ]
  // The second line tells programs that move the file that it is not text.
  let file = '%PDF-1.4\n%âãÏÓ\n'
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length)
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R/Info 3 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  // Every character is one byte, so lengths and offsets are those of the file.
  return Buffer.from(file + table + trailer, 'latin1')
}

function fontObject(name: string): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
}

function utf16(what: string): string {
  return Buffer.from(`\ufeff${what.normalize('NFC')}`, 'utf16le')
    .swap16()
    .toString('hex')
    .toUpperCase()
}
