import { deflateSync } from 'node:zlib'
import { chanceOf } from '../chance.ts'
import { writePdf } from './pdf.ts'

type Made = [what: string, make: () => Buffer]

const text = (words = 'Aarsrapport') => `BT /F1 40 Tf 60 700 Td (${words}) Tj ET`

/** Writes a PDF of these objects, the first of which is the catalog. */
export function writeObjects(objects: (string | Buffer)[], trailer = ''): Buffer {
  let at = 9
  const places: number[] = []
  const bodies = objects.map((body, index) => {
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ])
    places.push(at)
    at += bytes.length
    return bytes
  })
  const xref = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...bodies, Buffer.from(end)])
}

export const stream = (bytes: Buffer | string, more = '') => {
  const content = Buffer.from(bytes)
  return Buffer.concat([
    Buffer.from(`<</Length ${content.length}${more}>>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const ONE_PAGE = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
/** A page whose contents are object 4, with the fonts and forms that follow it. */
const page = (more = '/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R/Y 7 0 R>>>>') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R${more}>>`
const form = (content: string) =>
  stream(
    content,
    '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X 6 0 R/Y 7 0 R>>/Font<</F1 5 0 R>>>>',
  )
const onePage = (content: Buffer | string, ...more: (string | Buffer)[]) =>
  writeObjects([CATALOG, ONE_PAGE, page(), typeof content === 'string' ? stream(content) : content, ...more])
const withFont = (font: string, ...more: (string | Buffer)[]) =>
  onePage(text('\\001\\002\\003'), font, ...more)

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, ' ')
const flate = (bytes: Buffer, times = 1): Buffer =>
  times === 0 ? bytes : flate(deflateSync(bytes, { level: 9 }), times - 1)
const image = (filter: string, bytes = 'x') =>
  stream(
    bytes,
    `/Type/XObject/Subtype/Image/Width 100000/Height 100000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/${filter}`,
  )

const encrypted = (dictionary: string) =>
  writeObjects(
    [CATALOG, ONE_PAGE, page(), stream(text()), HELVETICA, dictionary],
    '/Encrypt 6 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]',
  )
const passwords = `/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>/P -4`

const toUnicode = (ranges: string) =>
  stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${ranges} endcmap`,
  )
const MAPPED = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>'

const BOMBS: Made[] = [
  ['10,000 pages', () => writePdf({ pages: 10_000 })],
  [
    '100,000 times the same page',
    () =>
      writeObjects([
        CATALOG,
        `<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>`,
        page(),
        stream(text()),
        HELVETICA,
      ]),
  ],
  ['a stream of 300 MB', () => onePage(stream(flate(zeros(300)), '/Filter/FlateDecode'), HELVETICA)],
  [
    'a stream packed three times',
    () => onePage(stream(flate(zeros(500), 3), '/Filter[/FlateDecode/FlateDecode/FlateDecode]'), HELVETICA),
  ],
  [
    'a stream with twenty filters',
    () => onePage(stream('41', `/Filter[${'/ASCIIHexDecode'.repeat(20)}]`), HELVETICA),
  ],
  [
    'a stream by run lengths',
    () =>
      onePage(stream(Buffer.alloc(2_000_000, Buffer.from([129, 65])), '/Filter/RunLengthDecode'), HELVETICA),
  ],
  ['broken LZW', () => onePage(stream(Buffer.alloc(100_000, 0x80), '/Filter/LZWDecode'), HELVETICA)],
  [
    'a predictor with two billion columns',
    () =>
      onePage(
        stream(
          flate(Buffer.from(text())),
          '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 32/BitsPerComponent 16>>',
        ),
        HELVETICA,
      ),
  ],
  ['a picture of ten billion points', () => onePage('/X Do', HELVETICA, image('DCTDecode'))],
  ['such a picture in JPEG 2000', () => onePage('/X Do', HELVETICA, image('JPXDecode'))],
  ['such a picture in JBIG2', () => onePage('/X Do', HELVETICA, image('JBIG2Decode'))],
  ['such a fax', () => onePage('/X Do', HELVETICA, image('CCITTFaxDecode', 'x'.repeat(10_000)))],
  ['ten million letters on a page', () => onePage(text('Aarsrapport '.repeat(900_000)), HELVETICA)],
  [
    'a million texts on a page',
    () => onePage(`BT /F1 1 Tf ${'1 0 Td (a) Tj '.repeat(1_000_000)} ET`, HELVETICA),
  ],
  ['a million saved states', () => onePage('q '.repeat(1_000_000) + text(), HELVETICA)],
  [
    'the same contents 100,000 times',
    () =>
      writeObjects([
        CATALOG,
        ONE_PAGE,
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents[${'4 0 R '.repeat(100_000)}]/Resources<</Font<</F1 5 0 R>>>>>>`,
        stream(text()),
        HELVETICA,
      ]),
  ],
  [
    'letters that each mean 500',
    () => withFont(MAPPED, toUnicode(`1 beginbfchar <01> <${'0041'.repeat(500)}> endbfchar`)),
  ],
  [
    'a map of four billion letters',
    () => withFont(MAPPED, toUnicode('1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange')),
  ],
  ['a name of a million letters', () => onePage(`/${'N'.repeat(1_000_000)} gs ${text()}`, HELVETICA)],
  ['60 MB before it begins', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), zeros(60), writePdf()])],
]

const LOOPS: Made[] = [
  ['pages that are their own pages', () => writeObjects([CATALOG, '<</Type/Pages/Kids[2 0 R]/Count 1>>'])],
  [
    'pages that are each other’s',
    () =>
      writeObjects([
        CATALOG,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>',
      ]),
  ],
  [
    'a page that is its own parent',
    () => writeObjects([CATALOG, ONE_PAGE, '<</Type/Page/Parent 3 0 R/Contents 4 0 R>>', stream(text())]),
  ],
  ['a form that draws itself', () => onePage('/X Do', HELVETICA, form('/X Do'))],
  [
    'two forms that draw each other',
    () => onePage('/X Do', HELVETICA, form('/Y Do /Y Do'), form('/X Do /X Do')),
  ],
  [
    'forms that double forty times',
    () => {
      const forms = Array.from({ length: 40 }, (_, n) =>
        stream(
          `/Z Do /Z Do ${text('x')}`,
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>/XObject<</Z ${7 + n} 0 R>>>>`,
        ),
      )
      return onePage('/X Do', HELVETICA, ...forms, form(text('x')))
    },
  ],
  [
    'a table that comes before itself',
    () => writeObjects([CATALOG, ONE_PAGE, page(), stream(text()), HELVETICA], '/Prev 9'),
  ],
  [
    'a table whose table is the first object',
    () => writeObjects([CATALOG, ONE_PAGE, page(), stream(text()), HELVETICA], '/XRefStm 9/Prev 9'),
  ],
  [
    'a length that is its own',
    () => writeObjects([CATALOG, ONE_PAGE, page(), '<</Length 4 0 R>>\nstream\nBT ET\nendstream', HELVETICA]),
  ],
  ['an object that is itself', () => writeObjects([CATALOG, '2 0 R', '3 0 R'])],
  [
    'a hundred thousand objects in a row',
    () => writeObjects([CATALOG, ...Array.from({ length: 100_000 }, (_, n) => `${n + 3} 0 R`)]),
  ],
  [
    'objects inside themselves',
    () =>
      writeObjects([
        CATALOG,
        ONE_PAGE,
        page(),
        stream('4 0 4 0 ', '/Type/ObjStm/N 2/First 8/Extends 4 0 R'),
        HELVETICA,
      ]),
  ],
  [
    'a letter that draws itself',
    () =>
      withFont(
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 1/LastChar 3/Widths[9 9 9]/CharProcs<</a 6 0 R>>/Encoding<</Differences[1/a/a/a]>>/Resources<</Font<</F1 5 0 R>>>>>>',
        stream(`d0 ${text('\\001')}`),
      ),
  ],
  [
    'a map that uses itself',
    () =>
      withFont(
        '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 6 0 R/DescendantFonts[7 0 R]>>',
        stream('begincmap endcmap', '/Type/CMap/CMapName/A/UseCMap 6 0 R'),
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(I)/Supplement 0>>>>',
      ),
  ],
  [
    'a font that descends from itself',
    () => withFont('<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[5 0 R]>>'),
  ],
  [
    'an outline in a circle',
    () =>
      writeObjects([
        '<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>',
        ONE_PAGE,
        page(),
        stream(text()),
        HELVETICA,
        '<</First 6 0 R/Last 6 0 R/Next 6 0 R/Count 9>>',
      ]),
  ],
  [
    'fields in a circle',
    () =>
      writeObjects([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>',
        ONE_PAGE,
        page(),
        stream(text()),
        HELVETICA,
        '<</T(a)/Kids[6 0 R]/Parent 6 0 R>>',
      ]),
  ],
  [
    'layers in a circle',
    () =>
      writeObjects([
        '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</Order[6 0 R 6 0 R]>>>>>>',
        ONE_PAGE,
        page(),
        stream(`/OC /A BDC ${text()} EMC`),
        HELVETICA,
        '[6 0 R 6 0 R]',
      ]),
  ],
]

const nested = (open: string, close: string, times: number, inside = '') =>
  open.repeat(times) + inside + close.repeat(times)

const ODD: Made[] = [
  ['a password', () => encrypted(`<</Filter/Standard/V 2/R 3/Length 128${passwords}>>`)],
  ['an older password', () => encrypted(`<</Filter/Standard/V 1/R 2${passwords}>>`)],
  [
    'a newer password',
    () =>
      encrypted(
        `<</Filter/Standard/V 5/R 6/Length 256/O<${'ab'.repeat(48)}>/U<${'cd'.repeat(48)}>/OE<${'ab'.repeat(32)}>/UE<${'cd'.repeat(32)}>/Perms<${'ab'.repeat(16)}>/P -4/CF<</StdCF<</CFM/AESV3>>>>/StmF/StdCF/StrF/StdCF>>`,
      ),
  ],
  ['a lock of somebody’s own', () => encrypted('<</Filter/Nobody.Knows/V 9>>')],
  ['a lock that is none', () => encrypted('[1 2 3]')],
  ['a lock that is itself', () => encrypted('6 0 R')],
  [
    'a font without a map',
    () =>
      withFont(
        '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+X/Encoding/Identity-H/DescendantFonts[6 0 R]>>',
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
      ),
  ],
  [
    'letters of nobody’s alphabet',
    () => withFont(MAPPED, toUnicode('3 beginbfchar <01> <F0B7> <02> <DB80> <03> <0000> endbfchar')),
  ],
  [
    'letters that name no font',
    () => writeObjects([CATALOG, ONE_PAGE, page('/Resources<<>>'), stream(text())]),
  ],
  ['a font that is a number', () => withFont('42')],
  [
    'a font file of nonsense',
    () =>
      withFont(
        '<</Type/Font/Subtype/TrueType/BaseFont/A/FontDescriptor<</FontFile2 6 0 R/Flags 4>>>>',
        stream('x'.repeat(10_000)),
      ),
  ],
  ['a million arrays in each other', () => onePage(`${nested('[', ']', 1_000_000)} TJ ${text()}`, HELVETICA)],
  [
    'a million arrays in an object',
    () => writeObjects([CATALOG, ONE_PAGE, page(), stream(text()), nested('[', ']', 1_000_000)]),
  ],
  [
    '100,000 dictionaries in each other',
    () => writeObjects([CATALOG, ONE_PAGE, page(), stream(text()), nested('<</A', '>>', 100_000, ' 1')]),
  ],
  ['a million parentheses', () => onePage(`BT ${nested('(', ')', 1_000_000)} Tj ET`, HELVETICA)],
  ['a text without an end', () => onePage(`BT (${'a'.repeat(1_000_000)}`, HELVETICA)],
  ['a page of minus ten points', () => writePdf({ box: '0 0 -10 -10' })],
  ['a page of kilometres', () => writePdf({ box: '-1e30 -1e30 1e30 1e30' })],
  ['a page of letters', () => writePdf({ box: '/a /b (c) null' })],
  ['letters of no size', () => onePage('BT 0 0 0 0 0 0 Tm /F1 0 Tf (Aarsrapport) Tj ET', HELVETICA)],
  [
    'letters beyond all numbers',
    () => onePage('BT 1e38 1e38 -1e38 1e38 1e38 1e38 Tm /F1 1e38 Tf (Aarsrapport) Tj ET', HELVETICA),
  ],
  [
    'a billion pages that are not there',
    () =>
      writeObjects([
        CATALOG,
        '<</Type/Pages/Kids[3 0 R]/Count 999999999>>',
        page(),
        stream(text()),
        HELVETICA,
      ]),
  ],
  [
    'minus one page',
    () => writeObjects([CATALOG, '<</Type/Pages/Kids[3 0 R]/Count -1>>', page(), stream(text()), HELVETICA]),
  ],
  ['no pages', () => writePdf({ pages: 0 })],
  ['no catalog', () => writeObjects(['<<>>'])],
  ['a catalog that is text', () => writeObjects(['(catalog)', ONE_PAGE])],
  [
    'a script that opens it',
    () =>
      writeObjects([
        '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while(1){})>>>>',
        ONE_PAGE,
        page(),
        stream(text()),
        HELVETICA,
      ]),
  ],
  ['a file of the server', () => onePage(stream('', '/F(/etc/passwd)/FFilter/FlateDecode'), HELVETICA)],
  [
    'a length beyond its end',
    () =>
      writeObjects([
        CATALOG,
        ONE_PAGE,
        page(),
        `<</Length 999999999>>\nstream\n${text()}\nendstream`,
        HELVETICA,
      ]),
  ],
  [
    'a length below nothing',
    () =>
      writeObjects([CATALOG, ONE_PAGE, page(), `<</Length -5>>\nstream\n${text()}\nendstream`, HELVETICA]),
  ],
  [
    'no table of objects',
    () =>
      Buffer.from(
        writePdf()
          .toString('latin1')
          .replace(/xref[^]*/, ''),
        'latin1',
      ),
  ],
  [
    'a table of zeros',
    () =>
      Buffer.from(
        writePdf()
          .toString('latin1')
          .replace(/\d{10} 00000 n/g, '0000000000 00000 n'),
        'latin1',
      ),
  ],
  [
    'a table of a billion objects',
    () =>
      Buffer.from(
        writePdf()
          .toString('latin1')
          .replace(/xref\n0 \d+/, 'xref\n0 999999999'),
        'latin1',
      ),
  ],
  ['two documents in one', () => Buffer.concat([writePdf(), writePdf()])],
]

const whole = () => writePdf({ pages: 3 })
const CUT = [6, 9, 20, 50, 90, 150, 200, 260, 300, 350, 400, 450, 500, 600, 700]

/** PDFs that try to hang, fill or crash their reader. */
export const HOSTILE_PDFS: Made[] = [
  ...BOMBS,
  ...LOOPS,
  ...ODD,
  ...CUT.map((length): Made => [`${length} bytes of a document`, () => whole().subarray(0, length)]),
  ...Array.from({ length: 8 }, (_, seed): Made => [
    `chance number ${seed + 1} after the right beginning`,
    () => {
      const chance = chanceOf(seed)
      return Buffer.concat([
        Buffer.from('%PDF-1.7\n'),
        Buffer.from(Array.from({ length: 20_000 }, () => chance.number(256))),
      ])
    },
  ]),
  ...Array.from({ length: 12 }, (_, seed): Made => [
    `chance number ${seed + 1} in some places`,
    () => scratch(whole(), seed),
  ]),
]

/** Changes a byte in some twenty places. */
export function scratch(bytes: Buffer, seed: number): Buffer {
  const chance = chanceOf(seed)
  const scratched = Buffer.from(bytes)
  for (let times = 20; times > 0; times--) scratched[9 + chance.number(bytes.length - 9)] = chance.number(256)
  return scratched
}
