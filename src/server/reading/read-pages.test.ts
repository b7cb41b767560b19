import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { writeExcel, writeOutlookMail, writeWord, writeZip } from '../../../test/files/office-documents.ts'
import { writePdf } from '../../../test/files/pdf.ts'
import { findProgram } from '../process/find-program.ts'
import { typeOf } from '../storage/measure.ts'
import { writeDate, writeNumber } from './excel-text.ts'
import { readPages, type DocumentKind } from './read-pages.ts'
import { Unreadable } from './reading-fault.ts'

const poppler = await findProgram('pdftotext')
const read = (bytes: Buffer | string, kind: DocumentKind, pdfReader = poppler) =>
  readPages(Readable.from([Buffer.from(bytes)]), kind, { pdfReader })

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const MAIL = `From: =?utf-8?Q?S=C3=B8ren_Holm?= <soren@example.dk>
To: Kontoret <post@example.dk>
Subject: =?iso-8859-1?Q?=C5rsrapport?= 2023
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<style>p{}</style><p>K=E6re <b>alle</b></p><p>Se &aring;rets tal.</p>
--x
Content-Type: application/pdf; name="Budget 2024.pdf"
Content-Disposition: attachment; filename="Budget 2024.pdf"

%PDF-hemmeligt
--x--
`

describe('the pages of a document', () => {
  it.each<{ what: string; kind: DocumentKind; bytes: Buffer | string; pages: string[] }>([
    {
      what: 'a text in UTF-8',
      kind: 'text',
      bytes: '\ufeffÅrsrapport\r\nside 1',
      pages: ['Årsrapport\nside 1'],
    },
    {
      what: 'a text of Windows',
      kind: 'text',
      bytes: Buffer.from('\xc5rsrapport \x80', 'latin1'),
      pages: ['Årsrapport €'],
    },
    { what: 'a text in UTF-16', kind: 'text', bytes: utf16('Årsrapport'), pages: ['Årsrapport'] },
    {
      what: 'a text in UTF-16, big end first',
      kind: 'text',
      bytes: utf16('Årsrapport', true),
      pages: ['Årsrapport'],
    },
    {
      what: 'a text in UTF-16 without a mark',
      kind: 'text',
      bytes: utf16('Årsrapport').subarray(2),
      pages: ['Årsrapport'],
    },
    { what: 'a text with pages of its own', kind: 'text', bytes: 'en\fto', pages: ['en', 'to'] },
    { what: 'nothing', kind: 'text', bytes: '', pages: [''] },
    {
      what: 'a web page',
      kind: 'text',
      bytes:
        '<!doctype html><title>x</title><script>var a</script><h1>Brev</h1><table><tr><td>1<td>2</table>K&aelig;re<br>du',
      pages: ['Brev\n1 2\n\nKære\ndu'],
    },
    {
      what: 'a mail',
      kind: 'mail',
      bytes: MAIL,
      pages: [
        'Årsrapport 2023\nSøren Holm soren@example.dk, Kontoret post@example.dk\nBudget 2024.pdf\nKære alle\nSe årets tal.',
      ],
    },
    {
      what: 'a mail of Outlook',
      kind: 'mail',
      bytes: writeOutlookMail({
        subject: 'Årsrapport',
        sender: 'Søren Holm',
        body: 'Kære alle\r\nSe tallene.',
      }),
      pages: ['Årsrapport\nSøren Holm\n\nKære alle\nSe tallene.'],
    },
    {
      what: 'a Word document',
      kind: 'word',
      bytes: writeWord(['Årsrapport & budget', 'Side 1']),
      pages: ['Årsrapport & budget\nSide 1'],
    },
    {
      what: 'a Word document with notes, breaks and boxes',
      kind: 'word',
      bytes: writeWord(
        '<w:p><w:r><w:t>Års</w:t></w:r><w:r><w:t>rapport</w:t></w:r><w:del><w:r><w:delText>slettet</w:delText></w:r></w:del></w:p>' +
          '<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>boks</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>boks</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>' +
          '<w:p><w:r><w:br w:type="page"/><w:t>næste</w:t><w:tab/><w:t>side</w:t></w:r></w:p>',
        { 'word/footnotes.xml': '<w:footnotes><w:p><w:r><w:t>fodnote</w:t></w:r></w:p></w:footnotes>' },
      ),
      pages: ['Årsrapport\nboks', 'næste side\nfodnote'],
    },
    {
      what: 'a Word document that Word has divided',
      kind: 'word',
      bytes: writeWord(
        '<w:p><w:r><w:t>en</w:t></w:r></w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>to</w:t></w:r></w:p>',
      ),
      pages: ['en', 'to'],
    },
    {
      what: 'an Excel workbook',
      kind: 'excel',
      bytes: writeExcel({
        Resultat: [
          ['Konto', 'Beløb', 'Dato'],
          ['Leje & drift', 1234567.89, new Date(Date.UTC(2023, 11, 31))],
        ],
        Balance: [['Egenkapital', -5000]],
      }),
      pages: ['Resultat\nKonto Beløb Dato\nLeje & drift 1234567,89 31-12-2023', 'Balance\nEgenkapital -5000'],
    },
  ])('reads the pages of $what', async ({ kind, bytes, pages }) => {
    expect(await read(bytes, kind)).toEqual({ pages, reason: null })
  })

  it.each([
    { by: 'poppler', pdfReader: poppler },
    { by: 'our own program', pdfReader: null },
  ])('reads the pages of a PDF with $by', async ({ by, pdfReader }) => {
    if (by === 'poppler' && !poppler) return
    const pdf = writePdf({
      pages: 2,
      content: 'BT /F1 12 Tf 60 700 Td (Aarsrapport) Tj 0 -20 Td (side) Tj ET',
    })
    expect(await read(pdf, 'pdf', pdfReader)).toEqual({
      pages: ['Aarsrapport\nside', 'Aarsrapport\nside'],
      reason: null,
    })
    expect(await read(writePdf({ content: '' }), 'pdf', pdfReader)).toEqual({ pages: [''], reason: null })
  })

  it('a text without pages is cut into pieces that end with a line', async () => {
    const { pages } = await read(`${'Bilag nummer 1\n'.repeat(2000)}slut`, 'text')
    expect(pages.length).toBe(3)
    expect(pages.join('\n').split('\n')).toHaveLength(2001)
  })

  it('reads the first 5,000 pages of a longer document', async () => {
    const { pages, reason } = await read('side\f'.repeat(6000), 'text')
    expect([pages.length, reason]).toEqual([5000, 'Kun de første 5.000 sider er læst.'])
  })

  it('reads the first 16 MB of a longer document', async () => {
    const { pages, reason } = await read('Årsrapport med meget tekst '.repeat(1_000_000), 'text')
    expect(reason).toBe('Filen er meget lang. Kun den første del er læst.')
    expect(pages.join('').length).toBeGreaterThan(10_000_000)
  })
})

describe('a document without text', () => {
  const locked = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])
  it.each<{ what: string; kind: DocumentKind; bytes: Buffer | string; reason: string }>([
    {
      what: 'other bytes called .txt',
      kind: 'text',
      bytes: Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251)),
      reason: 'Filen indeholder ikke tekst.',
    },
    {
      what: 'half a Word document',
      kind: 'word',
      bytes: writeWord(['Årsrapport']).subarray(0, 400),
      reason: 'Filen er beskadiget.',
    },
    {
      what: 'another archive called .docx',
      kind: 'word',
      bytes: writeZip({ 'a.txt': 'a' }),
      reason: 'Filen er beskadiget.',
    },
    {
      what: 'a Word document with a password',
      kind: 'word',
      bytes: locked,
      reason: 'Filen er låst med en adgangskode.',
    },
    {
      what: 'an Excel workbook with a password',
      kind: 'excel',
      bytes: locked,
      reason: 'Filen er låst med en adgangskode.',
    },
    {
      what: 'a bomb',
      kind: 'word',
      bytes: writeWord(' '.repeat(140_000_000)),
      reason: 'Filen fylder for meget, når den pakkes ud.',
    },
    { what: 'no mail', kind: 'mail', bytes: '', reason: 'Filen er beskadiget.' },
    {
      what: 'half a mail of Outlook',
      kind: 'mail',
      bytes: writeOutlookMail({ body: 'Kære alle' }).subarray(0, 600),
      reason: 'Filen er beskadiget.',
    },
    {
      what: 'nothing but a head',
      kind: 'pdf',
      bytes: '%PDF-1.7 og så ikke mere',
      reason: 'Filen er beskadiget.',
    },
  ])('a document without text says why: $what', async ({ kind, bytes, reason }) => {
    const error: unknown = await read(bytes, kind).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Unreadable)
    expect((error as Unreadable).message).toBe(reason)
  })

  it('a document that takes too long says so', async () => {
    const endless = new Readable({ read: () => undefined })
    const hung = readPages(endless, 'text', { pdfReader: null, seconds: 0.01 })
    await expect(hung).rejects.toThrow('Det tog for lang tid at læse filen.')
  })
})

describe('office documents made by the tests', () => {
  it.each([
    ['Word', writeWord(['a']), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['Excel', writeExcel({ A: [] }), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['Outlook', writeOutlookMail({ body: 'a' }), 'application/x-cfb'],
  ])('office documents made by the tests have the type of %s', async (_what, bytes, type) => {
    expect(await typeOf(bytes)).toBe(type)
  })
})

describe('the numbers and dates of Excel', () => {
  it.each([
    ['1234567', '1234567'],
    ['1234.5', '1234,5'],
    ['0.30000000000000004', '0,3'],
    ['-0.5', '-0,5'],
    ['1E3', '1000'],
    ['tal', 'tal'],
  ])('%s is written %s', (value, written) => {
    expect(writeNumber(value)).toBe(written)
  })

  it.each([
    ['45291', false, '31-12-2023'],
    ['45291.75', false, '31-12-2023'],
    ['43829', true, '31-12-2023'],
    ['0.5', false, '0,5'],
    ['99999999', false, '99999999'],
  ])('the day %s, counted from 1904: %s, is written %s', (value, is1904, written) => {
    expect(writeDate(value, is1904)).toBe(written)
  })
})
