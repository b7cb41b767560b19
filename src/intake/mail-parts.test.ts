import { describe, expect, it } from 'vitest'
import { MOST_MAIL_FILES, partsOf, type MailNode } from './mail-parts.ts'

const MOST = 1_000_000
const file = (name: string, more: Partial<MailNode> = {}): MailNode => ({
  part: '2',
  type: 'application/pdf',
  size: 5000,
  encoding: 'base64',
  disposition: 'attachment',
  dispositionParameters: { filename: name },
  ...more,
})
const text = (more: Partial<MailNode> = {}): MailNode => ({
  part: '1',
  type: 'text/plain',
  size: 10,
  ...more,
})
const mixed = (...childNodes: MailNode[]): MailNode => ({ type: 'multipart/mixed', childNodes })

describe('the files of a mail', () => {
  it.each<[string, MailNode, string[]]>([
    ['what is attached', mixed(text(), file('Pas.pdf')), ['2 Pas.pdf']],
    ['a whole mail that is a PDF', file('Scan.pdf', { part: undefined }), ['1 Scan.pdf']],
    [
      'named by the older way',
      mixed(file('', { dispositionParameters: {}, parameters: { name: 'A.pdf' } })),
      ['2 A.pdf'],
    ],
    ['named after their kind', mixed(file('', { dispositionParameters: {} })), ['2 Vedhæftet fil.pdf']],
    [
      'a mail inside a mail, as one file',
      mixed({
        part: '2',
        type: 'message/rfc822',
        size: 900,
        envelope: { subject: 'Sv: Lån' },
        childNodes: [file('Inden i.pdf')],
      }),
      ['2 Sv: Lån.eml'],
    ],
    [
      'texts that are attached',
      mixed(text(), text({ part: '2', disposition: 'attachment' })),
      ['2 Vedhæftet fil.txt'],
    ],
    [
      'large pictures in the text',
      mixed(file('Foto.jpg', { type: 'image/jpeg', disposition: 'inline', size: 500_000 })),
      ['2 Foto.jpg'],
    ],
    [
      'small pictures that are attached',
      mixed(file('Kvittering.png', { type: 'image/png' })),
      ['2 Kvittering.png'],
    ],
    ['cleaned of what leads elsewhere', mixed(file('../../etc/passwd')), ['2 .._.._etc_passwd']],
    ['winmail.dat, as it is', mixed(file('winmail.dat', { type: 'application/ms-tnef' })), ['2 winmail.dat']],
  ])('finds %s', (_what, node, files) =>
    expect(partsOf(node, MOST).files.map(({ part, name }) => `${part} ${name}`)).toEqual(files),
  )
})

it.each<[string, MailNode, object]>([
  [
    'the plain text',
    mixed({
      type: 'multipart/alternative',
      childNodes: [text({ part: '1.1' }), text({ part: '1.2', type: 'text/html' })],
    }),
    { part: '1.1', isHtml: false },
  ],
  [
    'the plain text, also after HTML',
    mixed(text({ part: '1', type: 'text/html' }), text({ part: '2' })),
    { part: '2', isHtml: false },
  ],
  ['HTML, if there is nothing else', text({ part: '1', type: 'TEXT/HTML' }), { part: '1', isHtml: true }],
])('chooses %s as the text of a mail', (_what, node, said) => expect(partsOf(node, MOST).text).toEqual(said))

it('counts logos, and ignores signatures', () => {
  const logo = file('logo.png', { type: 'image/png', disposition: 'inline', id: '<1>' })
  const proof = file('smime.p7s', { type: 'application/pkcs7-signature' })
  expect(partsOf(mixed(text(), logo, logo, proof), MOST)).toMatchObject({
    files: [],
    pictures: 2,
    untaken: [],
  })
})

it.each<[string, MailNode, string]>([
  [
    'too large',
    file('Film.mp4', { size: 3_000_000 }),
    'er på 2.09 MB; der kan højst tages 976.56 KB. Filen ligger i postkassen',
  ],
  ['empty', file('Tom.pdf', { size: 0 }), 'er tom'],
])('reports a file that is %s', (_what, node, why) =>
  expect(partsOf(mixed(node), MOST)).toMatchObject({ files: [], untaken: [{ why }] }),
)

it('reads a mail with many or deep parts', () => {
  const many = partsOf(mixed(...Array.from({ length: 5000 }, () => file('a.pdf'))), MOST)
  expect(many.files).toHaveLength(MOST_MAIL_FILES)
  expect(many.untaken).toHaveLength(5000 - MOST_MAIL_FILES)
  let deep = file('a.pdf')
  for (let depth = 0; depth < 10_000; depth++) deep = mixed(deep)
  expect(partsOf(deep, MOST)).toMatchObject({ files: [], untaken: [{ why: 'ligger for dybt i den' }] })
})
