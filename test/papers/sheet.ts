import { deflateSync } from 'node:zlib'
import { stream, writeObjects } from '../files/hostile-pdfs.ts'

/** How a paper looks. */
export type Look = {
  font: keyof typeof FONTS
  size: number
  margin: number
  /** Words are divided at the ends of lines. */
  divides: boolean
  /** The page is turned on its side: by the viewer, or as drawn. */
  turn: 'none' | 'by-viewer' | 'drawn'
  /** Titles in capitals, or with spaces between the letters. */
  titles: 'plain' | 'capitals' | 'spaced'
  isCentred: boolean
}

const FONTS = {
  helvetica: { plain: 'Helvetica', bold: 'Helvetica-Bold', width: 0.52 },
  times: { plain: 'Times-Roman', bold: 'Times-Bold', width: 0.46 },
  courier: { plain: 'Courier', bold: 'Courier-Bold', width: 0.6 },
} as const

type Run = { x: number; y: number; size: number; isBold: boolean; text: string }

const [SHORT, LONG] = [595, 842]

/** A paper that is being written, from the top down. */
export class Sheet {
  readonly look: Look
  readonly pages: Run[][] = [[]]
  #y: number
  readonly width: number
  readonly height: number

  constructor(look: Look) {
    this.look = look
    this.width = look.turn === 'none' ? SHORT : LONG
    this.height = look.turn === 'none' ? LONG : SHORT
    this.#y = this.height - look.margin
  }

  get inner(): number {
    return this.width - 2 * this.look.margin
  }

  newPage(): void {
    this.pages.push([])
    this.#y = this.height - this.look.margin
  }

  gap(lines = 1): void {
    this.#y -= lines * this.look.size * 1.35
  }

  title(text: string, scale = 1.9): void {
    const { titles, isCentred, margin, size } = this.look
    const shown = titles === 'plain' ? text : text.toUpperCase()
    const letters =
      titles === 'spaced' && text.length < 18 ? Array.from(shown).join(' ').replaceAll('   ', '  ') : shown
    for (const line of this.#wrap(letters, this.inner, size * scale)) {
      const room = this.inner - this.#widthOf(line, size * scale)
      this.#line(line, isCentred ? margin + Math.max(0, room / 2) : margin, size * scale, true, 1.25)
    }
    this.gap(0.5)
  }

  heading(text: string): void {
    this.gap(0.4)
    this.#line(text, this.look.margin, this.look.size * 1.15, true)
  }

  para(text: string, isBold = false): void {
    for (const line of this.#wrap(text, this.inner, this.look.size))
      this.#line(line, this.look.margin, this.look.size, isBold)
    this.gap(0.6)
  }

  lines(texts: string[], { x = this.look.margin, isBold = false, size = this.look.size } = {}): void {
    for (const text of texts) this.#line(text, x, size, isBold)
    this.gap(0.5)
  }

  /** Lines at the right edge. */
  aside(texts: string[]): void {
    for (const text of texts)
      this.#line(text, this.look.margin + this.inner * 0.6, this.look.size * 0.95, false)
    this.gap(0.5)
  }

  /** The first column is text; the others are right-aligned, as amounts are. */
  table(rows: string[][], widths?: number[]): void {
    const columns = Math.max(...rows.map(({ length }) => length))
    const shares = widths ?? [0.46, ...Array.from({ length: columns - 1 }, () => 0.54 / (columns - 1))]
    rows.forEach((row, at) => {
      let right = this.look.margin
      this.#room(this.look.size * 1.35)
      row.forEach((cell, column) => {
        const left = right
        right += this.inner * (shares[column] ?? 0.2)
        if (cell === '') return
        const isText = column === 0 || widths !== undefined
        const x = isText ? left : right - this.#widthOf(cell, this.look.size)
        this.#put(cell, x, this.look.size, at === 0 && widths === undefined)
      })
      this.#y -= this.look.size * 1.35
    })
    this.gap(0.6)
  }

  columns(left: string, right: string): void {
    const width = this.inner * 0.47
    const [size, top] = [this.look.size, this.#y]
    const ends = [left, right].map((text, index) => {
      this.#y = top
      const x = this.look.margin + index * (this.inner * 0.53)
      for (const line of this.#wrap(text, width, size)) {
        if (this.#y < this.look.margin) break
        this.#put(line, x, size, false)
        this.#y -= size * 1.35
      }
      return this.#y
    })
    this.#y = Math.min(...ends)
    this.gap()
  }

  /** A line at the foot of every page so far. */
  footer(text: string): void {
    const size = this.look.size * 0.75
    this.pages.forEach((page, index) =>
      page.push({
        x: this.look.margin,
        y: 24,
        size,
        isBold: false,
        text: `${text}   Side ${index + 1} af ${this.pages.length}`,
      }),
    )
  }

  #line(text: string, x: number, size: number, isBold: boolean, leading = 1.35): void {
    this.#room(size * leading)
    this.#put(text, x, size, isBold)
    this.#y -= size * leading
  }

  #room(height: number): void {
    if (this.#y - height < 40) this.newPage()
  }

  #put(text: string, x: number, size: number, isBold: boolean): void {
    this.pages.at(-1)!.push({ x, y: this.#y, size, isBold, text })
  }

  #widthOf(text: string, size: number): number {
    return text.length * size * FONTS[this.look.font].width
  }

  #wrap(text: string, width: number, size: number): string[] {
    const most = Math.max(12, Math.floor(width / (size * FONTS[this.look.font].width)))
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (longer.length <= most) {
        line = longer
        continue
      }
      const left = most - line.length - 2
      if (this.look.divides && /^\p{Ll}{11,}[.,]?$/u.test(word) && left > 4) {
        const cut = Math.min(left, word.length - 4)
        lines.push(`${line} ${word.slice(0, cut)}-`)
        line = word.slice(cut)
      } else {
        if (line !== '') lines.push(line)
        line = word
      }
    }
    return line === '' ? lines : [...lines, line]
  }

  toPdf(): Buffer {
    const { plain, bold } = FONTS[this.look.font]
    const first = 5
    const isTurned = this.look.turn === 'by-viewer'
    const box =
      this.look.turn === 'none'
        ? `0 0 ${SHORT} ${LONG}`
        : isTurned
          ? `0 0 ${SHORT} ${LONG}`
          : `0 0 ${LONG} ${SHORT}`
    const fontOf = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
    return writeObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${this.pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')}]/Count ${this.pages.length}>>`,
      fontOf(plain),
      fontOf(bold),
      ...this.pages.flatMap((page, index) => [
        `<</Type/Page/Parent 2 0 R/MediaBox[${box}]${isTurned ? '/Rotate 90' : ''}/Contents ${first + 1 + 2 * index} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>`,
        stream(deflateSync(this.#drawn(page)), '/Filter/FlateDecode'),
      ]),
    ])
  }

  #drawn(page: Run[]): Buffer {
    const parts = page.map(({ x, y, size, isBold, text }) => {
      // Turned clockwise by the viewer, so it is drawn the other way round.
      const place =
        this.look.turn === 'by-viewer'
          ? `0 1 -1 0 ${(SHORT - y).toFixed(1)} ${x.toFixed(1)} Tm`
          : `1 0 0 1 ${x.toFixed(1)} ${y.toFixed(1)} Tm`
      return Buffer.concat([
        Buffer.from(`BT /F${isBold ? 2 : 1} ${size.toFixed(1)} Tf ${place} (`),
        encode(text),
        Buffer.from(') Tj ET\n'),
      ])
    })
    return Buffer.concat(parts)
  }
}

const SIGNS: Record<string, number> = {
  '–': 0x96,
  '—': 0x97,
  '”': 0x94,
  '“': 0x93,
  '’': 0x92,
  '•': 0x95,
  '€': 0x80,
  '…': 0x85,
}

/** Windows-1252, as the fonts have it. */
function encode(text: string): Buffer {
  const bytes = Array.from(text, (letter) => SIGNS[letter] ?? letter.codePointAt(0)! & 0xff)
  return Buffer.from(
    bytes.flatMap((byte) => (byte === 0x28 || byte === 0x29 || byte === 0x5c ? [0x5c, byte] : [byte])),
  )
}
