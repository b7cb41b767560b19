import { expect, it } from 'vitest'
import { NO_OFFICE } from '../office/office.ts'
import { inboxMail, type InboxMailContent, type SentItem } from './inbox-mail.ts'

const to = { name: 'Mette Holm', email: 'mette@example.dk' }
const way = { link: 'https://ringbind.example/inbox', timeZone: 'Europe/Copenhagen' }
const item = (more: Partial<SentItem> = {}): SentItem => ({
  sender: 'Åse <b>Nørregaard</b>',
  source: null,
  subject: '',
  sentAt: new Date('2026-11-16T09:14:00Z'),
  takenBy: null,
  files: ['Pas.pdf'],
  ...more,
})

it('the mail names who sent what and when, in text and HTML', () => {
  const { subject, text, html } = inboxMail(NO_OFFICE, to, { items: [item()], total: 1, senders: 1 }, way)
  expect(subject).toBe('Åse <b>Nørregaard</b> har sendt en fil')
  expect(text).toContain(
    'har sendt en fil til kontoret:\n\nÅse <b>Nørregaard</b> · 16/11/2026 kl. 10.14\n– Pas.pdf',
  )
  expect(text).toContain('Gå til indbakken:\nhttps://ringbind.example/inbox')
  expect(html).toContain('Åse &lt;b&gt;Nørregaard&lt;/b&gt; · 16/11/2026 kl. 10.14<br>– Pas.pdf')
})

it.each([
  [
    'several senders',
    { items: [item(), item({ sender: 'Lars Bech' })], total: 2, senders: 2 },
    '2 investorer har sendt 2 filer',
    'Lars Bech · ',
  ],
  [
    'more than it names',
    { items: [item()], total: 40, senders: 1 },
    'Åse <b>Nørregaard</b> har sendt 40 filer',
    '… og 39 filer mere.',
  ],
  [
    'what a colleague has taken',
    { items: [item({ takenBy: 'Jens Bech' })], total: 1, senders: 1 },
    'Åse <b>Nørregaard</b> har sendt en fil',
    'kl. 10.14 · taget af Jens Bech',
  ],
  [
    'a mail, whose sender is told apart from ours',
    {
      items: [item({ source: 'mailbox', sender: 'Bo <bo@x.dk>', subject: 'Hej' })],
      total: 1,
      senders: 0,
    },
    'Ny indlevering i indbakken: en fil',
    'Fra postkasse · angivet afsender Bo <bo@x.dk> · 16/11/2026 kl. 10.14\nHej\n– Pas.pdf',
  ],
  [
    'a mail without files',
    { items: [item({ source: 'mailbox', files: [] })], total: 0, senders: 0 },
    'Ny indlevering i indbakken',
    'Der er kommet mail i indbakken:',
  ],
  [
    'a scanner and an investor',
    { items: [item(), item({ source: 'directory', sender: '', files: ['a', 'b'] })], total: 3, senders: 1 },
    'Nyt i indbakken: 3 filer',
    'Fra scanner · 16/11/2026',
  ],
] as [string, InboxMailContent, string, string][])(
  'writes the mail about %s',
  (_what, content, subject, said) => {
    const mail = inboxMail(NO_OFFICE, to, content, way)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(said)
  },
)
