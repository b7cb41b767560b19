import { Sheet } from './sheet.ts'

/** Writes a PDF with these lines, for tests of one thing; '' begins a new page. */
export function simplePaper(lines: string[]): Buffer {
  const sheet = new Sheet({
    font: 'helvetica',
    size: 11,
    margin: 60,
    divides: false,
    turn: 'none',
    titles: 'plain',
    isCentred: false,
  })
  for (const line of lines) {
    if (line === '') sheet.newPage()
    else sheet.lines([line])
  }
  return sheet.toPdf()
}
