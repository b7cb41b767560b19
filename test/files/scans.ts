import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { stream, writeObjects } from './hostile-pdfs.ts'

/**
 * A picture of three lines of letters. It is a file, since letters drawn here would look otherwise on each computer, by
 * the fonts that it has.
 */
export const LETTER = {
  png: readFileSync(new URL('letter.png', import.meta.url)),
  text: 'Årsrapport og budget\nfor ejendommen i Aarhus\nGodkendt af bestyrelsen',
}

/** Returns how many of the words are in a text: no test hangs on how sure tesseract is of one word. */
export function countWords(text: string, words = LETTER.text): number {
  const found = new Set(text.split(/\s+/))
  return words.split(/\s+/).filter((word) => found.has(word)).length
}

type Picture = { data: Buffer; info: { width: number; height: number; channels: number } }

/** Returns a PDF of JPEG pictures, one on each page, of 150 dots an inch. */
export function pdfOfPictures(pictures: Picture[]): Buffer {
  const first = 3
  return writeObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${pictures.map((_, index) => `${first + 3 * index} 0 R`).join(' ')}]/Count ${pictures.length}>>`,
    ...pictures.flatMap(({ data, info }, index) => {
      const at = first + 3 * index
      const [width, height] = [info.width * 0.48, info.height * 0.48].map((side) => side.toFixed(0))
      const colours = info.channels === 1 ? 'Gray' : 'RGB'
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${at + 1} 0 R/Resources<</XObject<</I ${at + 2} 0 R>>>>>>`,
        stream(`q ${width} 0 0 ${height} 0 0 cm /I Do Q`),
        stream(
          data,
          `/Type/XObject/Subtype/Image/Width ${info.width}/Height ${info.height}/ColorSpace/Device${colours}/BitsPerComponent 8/Filter/DCTDecode`,
        ),
      ]
    }),
  ])
}

/** Returns a PDF with the letter on the upper half of each page. */
export async function scannedLetter(pages: number): Promise<Buffer> {
  const page = await sharp(LETTER.png)
    .extend({ top: 100, left: 70, right: 70, bottom: 1200, background: 'white' })
    .jpeg()
    .toBuffer({ resolveWithObject: true })
  return pdfOfPictures(Array.from({ length: pages }, () => page))
}
