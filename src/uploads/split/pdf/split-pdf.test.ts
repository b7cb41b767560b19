import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync, inflateSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { describe, expect, it } from 'vitest'
import { collectedStatements } from '../../../../demo/papers/collected-statements.ts'
import { HOSTILE_PDFS, stream, writeObjects } from '../../../../test/files/hostile-pdfs.ts'
import { writePdf } from '../../../../test/files/pdf.ts'
import { findProgram } from '../../../server/process/find-program.ts'
import { findPageDrawer } from '../../../server/storage/thumbnail.ts'
import { Unreadable } from '../../../server/reading/reading-fault.ts'
import { copyPages } from './copy-pages.server.ts'
import { drawPages, jpegsIn } from './draw-pages.server.ts'
import { inspectPdf, splitPdf } from './run-split.server.ts'

const [pageDrawer, pdfReader] = await Promise.all([findPageDrawer(), findProgram('pdftotext')])

const open = (bytes: Buffer) => Readable.from([bytes])

/** Divides in this process, which starts no other. */
async function copy(bytes: Buffer, ...parts: number[][]): Promise<Buffer[]> {
  const source = await PDFDocument.load(bytes, { updateMetadata: false })
  return Promise.all(parts.map(async (part) => Buffer.from(await copyPages(source, part))))
}

async function split(bytes: Buffer, count: number, ...parts: number[][]): Promise<Buffer[]> {
  const made: Buffer[] = []
  await splitPdf(open(bytes), count, parts, async (part) => void made.push(await buffer(part)))
  return made
}

const faultOf = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Unreadable ? error.fault : error),
  )

/** Everything in a PDF, unpacked: other text cannot be extracted from it. */
async function unpacked(bytes: Buffer): Promise<string> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false })
  return context
    .enumerateIndirectObjects()
    .map(([, each]) => {
      if (!(each instanceof PDFRawStream)) return each.toString()
      const isPacked = each.dict.has(PDFName.of('Filter'))
      return `${each.dict.toString()} ${Buffer.from(isPacked ? inflateSync(each.contents) : each.contents).toString('latin1')}`
    })
    .join('\n')
}

const wordsOf = (bytes: Buffer) =>
  execFileSync(pdfReader!, ['-', '-'], { input: bytes }).toString().split(/\s+/).filter(Boolean).join(' ')

/** Two pages that share resources; the first has links and fields as well. */
function shared(): Buffer {
  const page = (contents: number, more = '') =>
    `<</Type/Page/Parent 2 0 R/Contents ${contents} 0 R/PieceInfo<</Note 4 0 R>>${more}>>`
  const picture = (bytes: string) =>
    stream(bytes, '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray')
  return writeObjects([
    '<</Type/Catalog/Pages 2 0 R/Outlines 15 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 400]/Rotate 90/Resources 5 0 R>>',
    page(6, '/Annots[10 0 R 11 0 R 12 0 R 16 0 R]/B[4 0 R]/AA<</O 13 0 R>>'),
    page(7),
    '<</Font<</F1 14 0 R/T3 19 0 R>>/XObject<</Im1 8 0 R/Im2 9 0 R/Fm1 17 0 R/Fm2 18 0 R>>/ProcSet[/PDF]>>',
    stream('BT /F1 12 Tf 20 300 Td (KAREN) Tj /T3 9 Tf (A) Tj ET /Fm1 Do'),
    stream(deflateSync(Buffer.from('BT /F1 12 Tf 20 300 Td (VIGGO) Tj ET /Fm2 Do')), '/Filter/FlateDecode'),
    picture('HERPICTURE'),
    picture('HISPICTURE'),
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[4 0 R/Fit]/P 3 0 R>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.dk)/Next 13 0 R>>>>',
    '<</Type/Annot/Subtype/Widget/FT/Sig/Rect[0 0 9 9]/P 3 0 R/Parent 4 0 R/V<</Type/Sig/ByteRange[0 1 2 3]>>/AP<</N 17 0 R>>>>',
    '<</S/GoTo/D[4 0 R/Fit]>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Owner 4 0 R>>',
    '<</Type/Outlines/First 4 0 R>>',
    '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(x)>>>>',
    // The first borrows the page's pictures; the second has all of them itself, and draws one.
    stream('/Im1 Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/StructParent 4'),
    stream('/Im2 Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R'),
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 65/LastChar 65/Widths[9]/Encoding<</Differences[65/a]>>/CharProcs<</a 20 0 R>>/Resources 5 0 R>>',
    stream('9 0 d0 /Im1 Do'),
  ])
}

describe('a part', () => {
  it.skipIf(!pdfReader)('a part has its own pages, in order, as they looked', async () => {
    const { bytes } = collectedStatements(2025)
    const [first, second] = await copy(bytes, [2, 3], [5])
    expect(wordsOf(first!)).toContain('Søren Kjærgaard')
    expect(wordsOf(first!)).toContain('Side 2 af 2')
    expect(wordsOf(first!)).not.toContain('Åse')
    expect(wordsOf(second!)).toContain('Til Åse Nørregaard')
    expect(await copy(bytes, [2, 3])).toEqual([first])
  })

  it('a part holds nothing of other pages, whatever refers to them', async () => {
    const [karen, viggo] = await copy(shared(), [1], [2])
    const [hers, his] = [await unpacked(karen!), await unpacked(viggo!)]
    expect(hers).toContain('KAREN')
    expect(hers).toContain('HERPICTURE')
    expect(hers).not.toMatch(/HISPICTURE|VIGGO|GoTo|Filespec|ByteRange|Outlines|PieceInfo/)
    expect(hers.match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(his).toContain('HISPICTURE')
    expect(his).toContain('VIGGO')
    expect(his).not.toMatch(/KAREN|HERPICTURE/)
  })

  it('a part keeps what a page inherits, links out of it, and how a signature looks', async () => {
    const [karen] = await copy(shared(), [1])
    const part = await PDFDocument.load(karen!, { updateMetadata: false })
    const page = part.getPage(0)
    expect([page.getWidth(), page.getHeight(), page.getRotation().angle]).toEqual([300, 400, 90])
    const annotations = page.node
      .Annots()!
      .asArray()
      .map((each) => part.context.lookup(each, PDFDict))
    expect(annotations.map((each) => String(each.get(PDFName.of('Subtype'))))).toEqual(['/Link', '/Stamp'])
    expect(String(annotations[0]!.get(PDFName.of('A')))).toContain('https://example.dk')
  })

  it('a part keeps hidden layers hidden, without the layers of others', async () => {
    const layered = writeObjects([
      '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R 7 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Properties<</A 6 0 R/B 7 0 R>>>>>>',
      stream('/OC /A BDC EMC'),
      '<<>>',
      '<</Type/OCG/Name(Udkast)>>',
      '<</Type/OCG/Name(Viggos)>>',
    ])
    const all = await unpacked((await copy(layered, [1]))[0]!)
    expect(all).toMatch(/\/OFF \[ \d+ 0 R \]/)
    expect(all).toContain('Udkast')
    expect(all).not.toContain('Viggos')
  })

  it.each(['/Filter/Crypt', '/Filter/FlateDecode/DecodeParms<</Predictor 12>>'])(
    'a part is not made if its contents cannot be inspected: %s',
    async (filter) => {
      const odd = writeObjects([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
        stream('abc', filter),
        stream('x', '/Subtype/Image'),
      ])
      await expect(copy(odd, [1])).rejects.toThrow()
    },
  )
})

// Each of these starts a process.
describe('the program', () => {
  it('recognises a signed PDF, and divides it', async () => {
    expect(await inspectPdf(open(shared()))).toEqual({ pages: 2, is_signed: true })
    expect(await split(shared(), 2, [2], [1])).toEqual(await copy(shared(), [2], [1]))
  })

  it('stops with the error of whoever takes the parts', async () => {
    const full = new Error('No room.')
    const work = splitPdf(open(writePdf({ pages: 400 })), 400, [[1], [2], [3]], () => Promise.reject(full))
    await expect(work).rejects.toBe(full)
  })

  it.each<[what: string, fault: string, work: () => Promise<unknown>]>([
    ['pages that are not there', 'damaged', () => split(writePdf({ pages: 2 }), 2, [1], [3])],
    ['another number of pages', 'damaged', () => split(writePdf({ pages: 2 }), 3, [1])],
    ['a lock', 'locked', () => inspectPdf(open(hostile('a password')))],
    ['pages in a circle', 'damaged', () => inspectPdf(open(hostile('pages that are their own pages')))],
    ['no time', 'slow', () => inspectPdf(new Readable({ read: () => undefined }), { seconds: 0.01 })],
  ])('refuses %s', async (_what, fault, work) => {
    expect(await faultOf(work())).toBe(fault)
  })
})

const hostile = (what: string) => HOSTILE_PDFS.find(([each]) => each === what)![1]()

describe('pictures of pages', () => {
  it.skipIf(!pageDrawer)('draws one picture for each page, or none at all', async () => {
    const { bytes } = collectedStatements(2025)
    const pictures = await drawPages(open(bytes), pageDrawer!, { from: 2, to: 5 }, 'small')
    expect(pictures).toHaveLength(4)
    for (const picture of pictures!) expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(await drawPages(open(writePdf({ pages: 2 })), pageDrawer!, { from: 1, to: 3 }, 'small')).toBe(null)
  })

  it('divides a stream of JPEGs where each one ends', () => {
    const one = Buffer.from('ffd8ffe00004ffd9ffda000201ff00ffd002ffd9', 'hex')
    expect(jpegsIn(Buffer.concat([one, one]))).toEqual([one, one])
    expect(jpegsIn(one.subarray(0, -1))).toEqual([])
    expect(jpegsIn(Buffer.from('nothing'))).toEqual([])
  })
})
