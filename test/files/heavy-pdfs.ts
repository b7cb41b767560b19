import { deflateSync } from 'node:zlib'

const LINES = 100
const PAGES = 1000
const WORDS =
  'udlodning investorerne selskabet regnskab ejendom budget komplementar indskud lejer afkast renter bestyrelse generalforsamling kvartal resultat'.split(
    ' ',
  )

function stream(content: string, more = ''): Buffer {
  const packed = deflateSync(Buffer.from(content, 'latin1'), { level: 9 })
  return Buffer.concat([
    Buffer.from(`<<${more}/Length ${packed.length}/Filter/FlateDecode>>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}

function write(objects: (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const places: string[] = []
  let at = parts[0]!.length
  for (const [index, body] of objects.entries()) {
    places.push(`${String(at).padStart(10, '0')} 00000 n \n`)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    at += part.length
  }
  const size = objects.length + 1
  return Buffer.concat([
    ...parts,
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  ])
}

/** Some 100 kB with 1,000 pages and 15 million letters: all pages show the same words, which are others for another number. */
export function wordyPdf(number: number): Buffer {
  let chance = number + 1
  const word = () => WORDS[(chance = (chance * 48_271) % 0x7fffffff) % WORDS.length]!
  const lines = Array.from({ length: LINES }, () => {
    let line = `papir${number}`
    while (line.length < 140) line += ` ${word()}`
    return `(${line}) Tj T*`
  })
  const kids = Array.from({ length: PAGES }, (_, index) => `${5 + index} 0 R`).join(' ')
  return write([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${PAGES}/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R>>>>>>`,
    stream(`BT /F 6 Tf 8 TL 20 820 Td ${lines.join('\n')} ET`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: PAGES }, () => '<</Type/Page/Parent 2 0 R/Contents 3 0 R>>'),
  ])
}

/** Some 2 kB that take minutes to read: a form that draws another one ten times, which draws another one ten times … */
export function slowPdf(number: number): Buffer {
  const levels = 10
  const form = (level: number) =>
    stream(
      level === levels ? `0 0 ${number + 1} 1 re f` : '/X Do '.repeat(10),
      `/Type/XObject/Subtype/Form/BBox[0 0 595 842]${level === levels ? '' : `/Resources<</XObject<</X ${5 + level} 0 R>>>>`}`,
    )
  return write([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
    stream('/X Do'),
    ...Array.from({ length: levels }, (_, index) => form(index + 1)),
  ])
}
