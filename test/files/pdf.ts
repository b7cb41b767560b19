import { deflateSync } from 'node:zlib'

/** Writes a PDF of one page, or of many that look the same. */
export function writePdf({
  content = 'BT /F1 40 Tf 60 700 Td (Aarsrapport) Tj ET',
  box = '0 0 595 842',
  pages = 1,
} = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${5 + index} 0 R`).join(' ')
  const stream = deflateSync(Buffer.from(content, 'latin1'))
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from(
      { length: pages },
      () => `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>`,
    ),
  ].map((body, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]),
  )
  let at = 9
  const places = objects.map(({ length }) => {
    at += length
    return `${String(at - length).padStart(10, '0')} 00000 n \n`
  })
  const trailer = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.from(trailer)])
}
