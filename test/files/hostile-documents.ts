import { deflateRawSync } from 'node:zlib'
import type { DocumentKind } from '../../src/server/reading/read-pages.ts'
import { chanceOf } from '../chance.ts'
import { HOSTILE_PDFS, scratch } from './hostile-pdfs.ts'
import { writeExcel, writeOutlookMail, writeWord, writeZip } from './office-documents.ts'

export type HostileDocument = { what: string; kind: DocumentKind; make: () => Buffer }
const LISTED = Buffer.from('PK\x01\x02')
const END = Buffer.from('PK\x05\x06')

type Made = [what: string, make: () => Buffer]

const word = (text = 'Kære alle') => writeWord([text, 'Venlig hilsen'])
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const excel = () => writeExcel({ Resultat: [['Konto', 1234.5]], Balance: [['Egenkapital', -5]] })

/** Ten entities, each ten times the one before. */
const LAUGHS = `<!DOCTYPE x [<!ENTITY e0 "haha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]>`
const FILE = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>'

/** Changes numbers in the list at an archive's end: [place in its first entry, length, value]. */
function lie(zip: Buffer, ...lies: [at: number, length: 2 | 4, value: number][]): Buffer {
  const told = Buffer.from(zip)
  const entry = told.indexOf(LISTED)
  for (let from = entry; from >= 0; from = told.indexOf(LISTED, from + 1))
    for (const [at, length, value] of lies) told.writeUIntLE(value, from + at, length)
  return told
}

function lieAtEnd(zip: Buffer, at: number, length: 2 | 4, value: number): Buffer {
  const told = Buffer.from(zip)
  told.writeUIntLE(value, told.lastIndexOf(END) + at, length)
  return told
}

/** Lists its first part 60,000 times. */
function overlap(): Buffer {
  const zip = writeZip({ 'word/document.xml': Buffer.alloc(1_000_000, 'a') })
  const list = zip.indexOf(LISTED)
  const end = zip.lastIndexOf(END)
  const entry = zip.subarray(list, end)
  const many = Buffer.concat([zip.subarray(0, list), ...Array<Buffer>(60_000).fill(entry), zip.subarray(end)])
  return lieAtEnd(many, 10, 2, 60_000)
}

const spaces = (megabytes: number) => ' '.repeat(megabytes * 1024 * 1024)

const WORD: Made[] = [
  ['a bomb of 300 MB', () => writeWord(paragraph(spaces(300)))],
  ['a bomb in its notes', () => writeWord(paragraph('a'), { 'word/footnotes.xml': `<a>${spaces(300)}</a>` })],
  [
    'heads that together are a bomb',
    () =>
      writeWord(
        paragraph('a'),
        Object.fromEntries(
          Array.from({ length: 50 }, (_, n) => [`word/header${n}.xml`, `<a>${spaces(8)}</a>`]),
        ),
      ),
  ],
  ['a bomb in a part that is not read', () => writeWord(paragraph('a'), { 'word/media/a.bin': spaces(300) })],
  [
    'an archive packed twice',
    () => writeZip({ 'word/document.xml': deflateRawSync(Buffer.alloc(50_000_000)) }),
  ],
  ['a billion laughs', () => writeWord(paragraph('&e9;'), {}, LAUGHS)],
  ['an entity that is itself', () => writeWord(paragraph('&e;'), {}, '<!DOCTYPE x [<!ENTITY e "&e;">]>')],
  ['a file of the server', () => writeWord(paragraph('&file;'), {}, FILE)],
  ['a document type without an end', () => writeWord(paragraph('a'), {}, '<!DOCTYPE x [')],
  ['a million elements in each other', () => writeWord(`${'<w:p>'.repeat(1_000_000)}${paragraph('a')}`)],
  [
    'a million elements with ends',
    () => writeWord('<w:tbl>'.repeat(1_000_000) + '</w:tbl>'.repeat(1_000_000)),
  ],
  ['a million paragraphs', () => writeWord(paragraph('a').repeat(1_000_000))],
  ['a million pages', () => writeWord('<w:br w:type="page"/>a'.repeat(1_000_000))],
  ['a million tabs', () => writeWord('<w:tab/>'.repeat(1_000_000))],
  ['60 MB of text', () => writeWord(paragraph('Årsrapport '.repeat(5_000_000)))],
  [
    'a million attributes',
    () => writeWord(`<w:p ${Array.from({ length: 500_000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
  ],
  ['an attribute of 50 MB', () => writeWord(`<w:p a="${spaces(50)}"/>`)],
  ['a name of 10 MB', () => writeWord(`<w:${'n'.repeat(10_000_000)}/>`)],
  ['a comment without an end', () => writeWord(`<!-- ${spaces(20)}`)],
  ['text outside everything', () => writeZip({ 'word/document.xml': 'Kære alle' })],
  ['tags that do not match', () => writeWord('</w:t></w:p><w:t><w:p></w:t>a')],
  ['a thousand fallbacks', () => writeWord('<mc:Fallback>'.repeat(1000) + paragraph('a'))],
  [
    'bytes that are no letters',
    () => writeZip({ 'word/document.xml': Buffer.from('<w:t>\xff\xfe\xfd\xed\xa0\x80</w:t>', 'latin1') }),
  ],
  [
    'UTF-16',
    () =>
      writeZip({
        'word/document.xml': Buffer.from(
          '\ufeff<w:document><w:p><w:t>Kære</w:t></w:p></w:document>',
          'utf16le',
        ),
      }),
  ],
  ['an empty document', () => writeZip({ 'word/document.xml': '' })],
  ['no document', () => writeZip({ '[Content_Types].xml': '<Types/>' })],
  ['nothing in it', () => writeZip({})],
  [
    'names that lead away',
    () => writeZip({ '../../../etc/passwd': 'x', '/word/document.xml': '<w:t>a</w:t>' }),
  ],
  ['names of nothing', () => writeZip({ '\0': 'x', '': 'y' })],
  ['the same part 60,000 times', overlap],
  ['a password on each part', () => lie(word(), [8, 2, 1])],
  ['an unknown way of packing', () => lie(word(), [10, 2, 14])],
  ['parts that say they are stored', () => lie(word(), [10, 2, 0])],
  ['parts of four gigabytes', () => lie(word(), [20, 4, 0xffffffff])],
  ['parts of no length', () => lie(word(), [20, 4, 0])],
  ['parts that begin outside', () => lie(word(), [42, 4, 0xfffffff0])],
  ['parts that begin in the list', () => lie(word(), [42, 4, word().indexOf(LISTED)])],
  ['names longer than the file', () => lie(word(), [28, 2, 0xffff])],
  ['more parts than there are', () => lieAtEnd(word(), 10, 2, 0xffff)],
  ['a list that begins outside', () => lieAtEnd(word(), 16, 4, 0xfffffff0)],
  ['a list that is its own end', () => lieAtEnd(word(), 16, 4, word().lastIndexOf(END))],
  ['two ends', () => Buffer.concat([word(), word()])],
]

const shared = (text: string) => `<sst><si><t>${text}</t></si></sst>`
const sheet = (cells: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
})
const book = (more: Record<string, string>) => writeExcel({ A: [] }, more)

const EXCEL: Made[] = [
  [
    'one long text in a million cells',
    () =>
      book({
        'xl/sharedStrings.xml': shared('a'.repeat(1_000_000)),
        ...sheet('<row><c t="s"><v>0</v></c></row>'.repeat(1_000_000)),
      }),
  ],
  ['texts of 100 MB', () => book({ 'xl/sharedStrings.xml': shared(spaces(100)) })],
  [
    'a million texts',
    () => book({ 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(1_000_000)}</sst>` }),
  ],
  ['a sheet of 300 MB', () => book(sheet(`<row>${spaces(300)}</row>`))],
  ['a million rows of a cell', () => book(sheet('<row><c><v>1</v></c></row>'.repeat(1_000_000)))],
  [
    '100,000 names for one sheet',
    () =>
      book({
        'xl/workbook.xml': `<workbook>${'<sheet name="A" r:id="rId1"/>'.repeat(100_000)}</workbook>`,
        ...sheet(`<row>${spaces(5)}</row>`),
      }),
  ],
  [
    'a sheet that is the workbook',
    () =>
      book({ 'xl/_rels/workbook.xml.rels': '<a><Relationship Id="rId1" Target="/xl/workbook.xml"/></a>' }),
  ],
  [
    'a sheet elsewhere',
    () =>
      book({ 'xl/_rels/workbook.xml.rels': '<a><Relationship Id="rId1" Target="../../../etc/passwd"/></a>' }),
  ],
  [
    'cells that name no text',
    () =>
      book(sheet('<row><c t="s"><v>-1</v></c><c t="s"><v>1e99</v></c><c t="s"><v>__proto__</v></c></row>')),
  ],
  [
    'numbers beyond all numbers',
    () => book(sheet('<row><c><v>1e999</v></c><c s="1"><v>-1e300</v></c><c s="1"><v>NaN</v></c></row>')),
  ],
  ['styles beyond all styles', () => book(sheet('<row><c s="-1"><v>1</v></c><c s="1e9"><v>2</v></c></row>'))],
  ['a billion laughs', () => book({ 'xl/sharedStrings.xml': `${LAUGHS}${shared('&e9;')}` })],
  ['a file of the server', () => book({ 'xl/sharedStrings.xml': `${FILE}${shared('&file;')}` })],
  ['a million elements in each other', () => book(sheet('<row>'.repeat(1_000_000)))],
  ['no workbook', () => writeZip({ 'xl/worksheets/sheet1.xml': '<a/>' })],
  ['a password on each part', () => lie(excel(), [8, 2, 1])],
]

const mail = (head: string, body = 'Kære alle') =>
  Buffer.from(`From: a@example.dk\nSubject: Brev\n${head}\n\n${body}`)
const multipart = (parts: string) => mail('Content-Type: multipart/mixed; boundary=x', parts)
const html = (body: string) => mail('Content-Type: text/html', body)
const letters = Array.from({ length: 1000 }, (_, n) => n)
const outlook = () => writeOutlookMail({ subject: 'Brev', sender: 'A', body: 'Kære alle' })

const MAILS: Made[] = [
  [
    'mails in each other, a thousand deep',
    () =>
      mail(
        '',
        letters.reduce(
          (inner, n) =>
            `--b${n}\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b${n}\n\n${inner}`,
          'Kære alle',
        ),
      ),
  ],
  [
    'a thousand forwarded mails',
    () => Buffer.from(`${'Content-Type: message/rfc822\n\n'.repeat(1000)}Kære alle`),
  ],
  [
    'parts in each other, a thousand deep',
    () =>
      Buffer.from(
        `Subject: a\n${letters.map((n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join('')}\nKære alle`,
      ),
  ],
  ['100,000 parts', () => multipart('--x\n\na\n'.repeat(100_000))],
  [
    '100,000 attachments',
    () => multipart('--x\nContent-Disposition: attachment; filename=a.txt\n\na\n'.repeat(100_000)),
  ],
  ['a part without an end', () => multipart(`--x\n\n${'Kære alle\n'.repeat(1_000_000)}`)],
  [
    'a boundary of nothing',
    () => mail('Content-Type: multipart/mixed; boundary=""', '--\n--\n--\n'.repeat(10_000)),
  ],
  ['a head of 20 MB', () => mail(`X: ${spaces(20)}`)],
  ['a head of 100,000 lines', () => mail('X: y\n'.repeat(100_000))],
  ['100,000 receivers', () => mail(`To: ${'Bo Lund <bo@example.dk>, '.repeat(100_000)}`)],
  ['receivers in parentheses', () => mail(`To: ${'('.repeat(100_000)}`)],
  ['receivers in quotes', () => mail(`To: ${'"'.repeat(100_001)}`)],
  ['a subject in a thousand codes', () => mail(`Subject: ${'=?utf-8?Q?=C3=A6?= '.repeat(100_000)}`)],
  ['broken base64', () => mail('Content-Transfer-Encoding: base64', '!=?*'.repeat(1_000_000))],
  ['broken quoting', () => mail('Content-Transfer-Encoding: quoted-printable', '=ZZ=\n='.repeat(1_000_000))],
  ['letters of no alphabet', () => mail('Content-Type: text/plain; charset=nobody-knows', 'K\xe6re')],
  ['a million boxes in each other', () => html('<div>'.repeat(1_000_000))],
  ['a page without an end', () => html(`<p>Kære<!-- ${'a'.repeat(1_000_000)}`)],
  ['a million signs', () => html('&aring;&#xFFFFFFFF;&nbsp;'.repeat(300_000))],
  ['an attribute without an end', () => html(`<a href="${'a'.repeat(1_000_000)}`)],
  ['a million styles', () => html('<style><script>'.repeat(300_000))],
  ['only zeros', () => Buffer.alloc(1_000_000)],
  ['only line ends', () => Buffer.alloc(5_000_000, '\n')],
  ...[8, 100, 512, 600, 1024, 1600, 2048, 2600].map((length): Made => [
    `${length} bytes of a mail of Outlook`,
    () => outlook().subarray(0, length),
  ]),
  ...Array.from({ length: 6 }, (_, seed): Made => [
    `a mail of Outlook with chance number ${seed + 1}`,
    () => scratch(outlook(), seed),
  ]),
  [
    'a mail of Outlook whose blocks follow themselves',
    () => {
      const bytes = outlook()
      for (let at = 512; at + 4 <= bytes.length; at += 4)
        if (bytes.readInt32LE(at) === -2) bytes.writeInt32LE(0, at)
      return bytes
    },
  ],
]

const TEXTS: Made[] = [
  ['one line of 40 MB', () => Buffer.alloc(40_000_000, 'Årsrapport ')],
  ['a million pages', () => Buffer.alloc(1_000_000, '\f')],
  ['a million marks over one letter', () => Buffer.from(`a${'\u0301'.repeat(1_000_000)}`)],
  ['letters that cannot be seen', () => Buffer.from('\u200b\u202e\u2066\ufeff'.repeat(200_000))],
  ['halves of letters', () => Buffer.from(`\ufeff${'\ud800'.repeat(100_000)}`, 'utf16le')],
  ['a mark and nothing else', () => Buffer.from('\ufeff', 'utf16le')],
  ['an odd number of bytes', () => Buffer.from('\ufeffKære', 'utf16le').subarray(0, 9)],
  ['only zeros', () => Buffer.alloc(1_000_000)],
  ['the bytes of a program', () => Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 256))],
  ['commands for a terminal', () => Buffer.from('\x1b[2J\x1b]0;a\x07Kære'.repeat(10_000))],
  ['a web page of boxes', () => Buffer.from(`<!doctype html>${'<b><table><tr><td>'.repeat(200_000)}`)],
]

const cut = (make: () => Buffer, shares: number[]): Made[] =>
  shares.map((share) => [
    `${share} % of a document`,
    () => make().subarray(0, Math.ceil((make().length * share) / 100)),
  ])
const scratched = (make: () => Buffer, times: number): Made[] =>
  Array.from({ length: times }, (_, seed) => [
    `chance number ${seed + 1} in some places`,
    () => scratch(make(), seed),
  ])
const chancy = (magic: string, times: number): Made[] =>
  Array.from({ length: times }, (_, seed) => [
    `chance number ${seed + 1} after the right beginning`,
    () => {
      const chance = chanceOf(seed)
      return Buffer.concat([
        Buffer.from(magic, 'latin1'),
        Buffer.from(Array.from({ length: 20_000 }, () => chance.number(256))),
      ])
    },
  ])

const ofKind = (kind: DocumentKind, all: Made[]): HostileDocument[] =>
  all.map(([what, make]) => ({ what, kind, make }))

/** Documents that try to hang, fill or crash their reader. */
export const HOSTILE_DOCUMENTS: HostileDocument[] = [
  ...ofKind('pdf', HOSTILE_PDFS),
  ...ofKind('word', [
    ...WORD,
    ...cut(word, [5, 20, 40, 60, 80, 95, 99]),
    ...scratched(word, 5),
    ...chancy('PK\x03\x04', 2),
  ]),
  ...ofKind('excel', [
    ...EXCEL,
    ...cut(excel, [10, 30, 50, 70, 90, 99]),
    ...scratched(excel, 5),
    ...chancy('PK\x03\x04', 2),
  ]),
  ...ofKind('mail', [...MAILS, ...chancy('From: a\nSubject: b\n\n', 2)]),
  ...ofKind('text', TEXTS),
]
