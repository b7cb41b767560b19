import { expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { approvalMail, rejectionMail, type PlacedFile } from './approval-mail.ts'

const to = { name: 'Åse<b> Nørregaard</b>', email: 'aase@example.dk' }
const link = 'https://ringbind.example/releases/7'
const way = { link, timeZone: 'Europe/Copenhagen' }
const files: PlacedFile[] = [
  { name: 'Budget <2026>.pdf', owner: 'K/S Østergade', folder: 'Budget' },
  { name: 'Skat.pdf', owner: 'Poul Poulsen', folder: null },
]
const release = 'Budget 2026 · K/S Østergade'
const asked = { release, asker: 'Bo Holm', publishAt: null, reached: 12, files, total: 2 }

it('asks for approval of each file under its project and folder, in text and HTML', () => {
  const { subject, text, html } = approvalMail(NO_OFFICE, to, asked, way)
  expect(subject).toBe('Bo Holm beder om din godkendelse: Budget 2026 · K/S Østergade')
  expect(text).toContain(
    'Bo Holm har uploadet 2 filer, som 12 personer uden for kontoret kan se, når du eller en anden kollega har godkendt dem.\n\n',
  )
  expect(text).toContain(
    'K/S Østergade · Budget\n– Budget <2026>.pdf\n\nPoul Poulsen · Egne filer\n– Skat.pdf',
  )
  expect(text).toContain(`Se filerne, og svar:\n${link}`)
  expect(html).toContain('– Budget &lt;2026&gt;.pdf')
  expect(html).toContain('Kære Åse&lt;b&gt;')
})

it('says when the files are to be published, and how many more there are', () => {
  const publishAt = new Date('2027-06-01T07:00:00Z')
  const { text } = approvalMail(NO_OFFICE, to, { ...asked, publishAt, total: 40 }, way)
  expect(text).toContain('De skal udgives den 01/06/2027 kl. 09.00.')
  expect(text).toContain('… og 38 filer mere.')
})

it('asks about one file in the singular', () => {
  const { text } = approvalMail(
    NO_OFFICE,
    to,
    { ...asked, files: files.slice(0, 1), total: 1, reached: 1 },
    way,
  )
  expect(text).toContain('har uploadet en fil, som 1 person uden for kontoret kan se')
  expect(text).toContain('har godkendt den.')
})

it('a mail about a rejection has its message as it was written', () => {
  const content = { release, rejecter: 'Bo Holm', message: 'Forkert <år>.\nRet det.', files, total: 2 }
  const { subject, text, html } = rejectionMail(NO_OFFICE, to, content, link)
  expect(subject).toBe('Bo Holm har ikke godkendt: Budget 2026 · K/S Østergade')
  expect(text).toContain('Beskeden er:\n\nForkert <år>.\nRet det.\n\nK/S Østergade · Budget')
  expect(html).toContain('Forkert &lt;år&gt;.<br>Ret det.')
  expect(text).toContain('Filerne er kladder igen')
})
