/** A picture as a JPEG of three colours, as a canvas writes it. */
export type JpegPage = { jpeg: Uint8Array<ArrayBuffer>; width: number; height: number }

// A4 in points, and the margin that printers need.
const SHORT = 595.28
const LONG = 841.89
const MARGIN = 18

/** Returns a PDF with a page of A4 for each picture: upright or on its side as the picture is, whole and in the middle. */
export function pdfOf(pages: readonly JpegPage[]): Uint8Array<ArrayBuffer> {
  const writer = new Writer()
  const pageAt = (index: number) => 3 + index * 3
  writer.object(1, '<< /Type /Catalog /Pages 2 0 R /Lang (da-DK) >>')
  const kids = pages.map((_, index) => `${pageAt(index)} 0 R`).join(' ')
  writer.object(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  for (const [index, { jpeg, width, height }] of pages.entries()) {
    const at = pageAt(index)
    const place = placeOnPage(width, height)
    const drawing = `q ${place.width} 0 0 ${place.height} ${place.left} ${place.bottom} cm /Picture Do Q`
    writer.object(
      at,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${place.pageWidth} ${place.pageHeight}] ` +
        `/Resources << /XObject << /Picture ${at + 2} 0 R >> >> /Contents ${at + 1} 0 R >>`,
    )
    writer.object(at + 1, `<< /Length ${drawing.length} >>`, bytesOf(drawing))
    writer.object(
      at + 2,
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
      jpeg,
    )
  }
  return writer.end()
}

/** Fits a picture into a page of the same orientation. */
export function placeOnPage(width: number, height: number) {
  const [pageWidth, pageHeight] = width > height ? [LONG, SHORT] : [SHORT, LONG]
  const factor = Math.min((pageWidth - 2 * MARGIN) / width, (pageHeight - 2 * MARGIN) / height)
  const [shownWidth, shownHeight] = [width * factor, height * factor]
  return {
    pageWidth,
    pageHeight,
    width: rounded(shownWidth),
    height: rounded(shownHeight),
    left: rounded((pageWidth - shownWidth) / 2),
    bottom: rounded((pageHeight - shownHeight) / 2),
  }
}

const rounded = (points: number) => Math.round(points * 100) / 100

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Writes the objects of a PDF, and where each of them begins. */
class Writer {
  #parts: Uint8Array[] = []
  #length = 0
  #begins: number[] = []

  constructor() {
    this.#add(bytesOf('%PDF-1.4\n'))
    // Tells programs that look at the first lines that this is no text.
    this.#add(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a))
  }

  object(number: number, dictionary: string, stream?: Uint8Array): void {
    this.#begins[number - 1] = this.#length
    this.#add(bytesOf(`${number} 0 obj\n${dictionary}\n`))
    if (stream) {
      this.#add(bytesOf('stream\n'))
      this.#add(stream)
      this.#add(bytesOf('\nendstream\n'))
    }
    this.#add(bytesOf('endobj\n'))
  }

  end(): Uint8Array<ArrayBuffer> {
    const table = this.#length
    const lines = this.#begins.map((begin) => `${String(begin).padStart(10, '0')} 00000 n \n`)
    const size = this.#begins.length + 1
    this.#add(
      bytesOf(
        `xref\n0 ${size}\n0000000000 65535 f \n${lines.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\n` +
          `startxref\n${table}\n%%EOF\n`,
      ),
    )
    const all = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part)
    this.#length += part.length
  }
}
