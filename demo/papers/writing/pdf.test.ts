import { describe, expect, it } from 'vitest'
import { pdf, type Line } from './pdf.ts'

const make = (lines: Line[], title = 'Årsrapport 2023') =>
  pdf({ title, from: 'K/S Nordhavn Kontorhus', reference: 'Projekt 1024', lines })

/** Returns the bytes, one character each. */
const read = (bytes: Buffer) => bytes.toString('latin1')

const count = (text: string, part: string | RegExp) => text.split(part).length - 1

/** Returns where a text is drawn first. */
function placeOf(file: string, text: string): { x: number; y: number } {
  const at = file.indexOf(`(${text}) Tj`)
  const [x, y] = /([\d.]+) ([\d.]+) Td $/.exec(file.slice(0, at))!.slice(1).map(Number)
  return { x: x!, y: y! }
}

describe('the file', () => {
  const short = make(['Til kommanditisterne'])
  const long = make(Array.from({ length: 150 }, (_, index) => `Linje ${index + 1}`))

  it.each([
    ['one page', short],
    ['many pages', long],
  ])('a PDF of %s has a header, a table that points at every object, and an end', (_, bytes) => {
    const file = read(bytes)
    expect(file).toMatch(/^%PDF-1\.4\n/)
    expect(file).toMatch(/%%EOF\n$/)
    const start = Number(/startxref\n(\d+)\n/.exec(file)![1])
    const [, size, entries] = /^xref\n0 (\d+)\n([\s\S]*?)trailer\n/.exec(file.slice(start))!
    const lines = entries!.match(/[^]{20}/g)!
    expect(lines).toHaveLength(Number(size))
    expect(lines[0]).toBe('0000000000 65535 f \n')
    for (const [number, line] of lines.entries()) {
      if (number === 0) continue
      expect(line).toMatch(/^\d{10} 00000 n \n$/)
      expect(file.slice(Number(line.slice(0, 10)))).toMatch(new RegExp(`^${number} 0 obj\n`))
    }
    expect(file).toContain(`<</Size ${size}/Root 1 0 R/Info 3 0 R>>`)
  })

  it('a PDF says how long each of its streams is', () => {
    const streams = [...read(long).matchAll(/<<\/Length (\d+)>>\nstream\n([\s\S]*?)\nendstream/g)]
    expect(streams.length).toBeGreaterThan(2)
    for (const [, length, content] of streams) expect(content).toHaveLength(Number(length))
  })

  it('a PDF is A4, in a font that every reader has', () => {
    expect(read(short)).toContain('/MediaBox[0 0 595 842]')
    expect(read(short)).toContain('/BaseFont/Helvetica/Encoding/WinAnsiEncoding')
  })

  it('a PDF numbers its pages and keeps everything on them', () => {
    const file = read(long)
    const pages = count(file, '/Type/Page/')
    expect(pages).toBeGreaterThan(2)
    expect(file).toContain(`/Count ${pages}`)
    for (let page = 1; page <= pages; page++) expect(file).toContain(`(Side ${page} af ${pages}) Tj`)
    expect(count(file, /\(Linje \d+\) Tj/)).toBe(150)
    for (const [, y] of file.matchAll(/ ([\d.]+) Td \(Linje/g)) expect(Number(y)).toBeGreaterThan(70)
  })

  it('a PDF is the same every time', () => {
    expect(make(['Til kommanditisterne']).equals(short)).toBe(true)
  })
})

describe('text', () => {
  it('text is written in the bytes of WinAnsi', () => {
    const bytes = make(['æøåÆØÅé – 5 m² § 1 €'])
    const written = [0xe6, 0xf8, 0xe5, 0xc6, 0xd8, 0xc5, 0xe9, 0x20, 0x96, 0x20, 0x35, 0x20, 0x6d, 0xb2]
    expect(bytes.includes(Buffer.from([0x28, ...written]))).toBe(true)
    expect(bytes.includes(Buffer.from([0xa7, 0x20, 0x31, 0x20, 0x80, 0x29]))).toBe(true)
  })

  it('text is normalised to composed letters first', () => {
    expect(make(['A\u030arsrapport']).equals(make(['Årsrapport']))).toBe(true)
  })

  it('text may contain the characters that end a PDF string', () => {
    expect(read(make(['(a) \\ b)']))).toContain(String.raw`(\(a\) \\ b\)) Tj`)
  })

  it.each(['日本', '😀', 'a\nb'])('refuses text that the font cannot show: %s', (text) => {
    expect(() => make([text])).toThrow('WinAnsi has no')
  })

  it('text wraps between words at the margin', () => {
    const file = read(make([Array.from({ length: 40 }, () => 'kommanditist').join(' ')]))
    const lines = [...file.matchAll(/\(((?:kommanditist ?)+)\) Tj/g)].map(
      ([, line]) => line!.split(' ').length,
    )
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.reduce((sum, words) => sum + words)).toBe(40)
  })

  it('the title is shown by a reader', () => {
    const title = Buffer.from('\ufeffÅrsrapport 2023', 'utf16le').swap16().toString('hex').toUpperCase()
    expect(read(make([]))).toContain(`/Title<${title}>`)
  })
})

describe('a table', () => {
  it('a table aligns its figures to the right', () => {
    const file = read(make([{ row: ['Leje', '1.111'] }, { row: ['I alt', '11'], as: 'total' }]))
    const [long, short] = [placeOf(file, '1.111'), placeOf(file, '11')]
    // A digit is 5.56 wide and a point 2.78, plain and bold.
    expect(long.x + 4 * 5.56 + 2.78).toBeCloseTo(short.x + 2 * 5.56, 1)
    expect(placeOf(file, 'Leje').y).toBe(long.y)
    expect(short.y).toBeLessThan(long.y)
  })
})
