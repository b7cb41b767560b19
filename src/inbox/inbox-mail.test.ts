import { expect, it } from 'vitest'
import { NO_OFFICE } from '../office/office.ts'
import { inboxMail, type SentItem } from './inbox-mail.ts'

const to = { name: 'Mette Holm', email: 'mette@example.dk' }
const way = { link: 'https://ringbind.example/inbox', timeZone: 'Europe/Copenhagen' }
const item = (more: Partial<SentItem> = {}): SentItem => ({
  sender: 'Åse <b>Nørregaard</b>',
  sentAt: new Date('2026-11-16T09:14:00Z'),
  takenBy: null,
  files: ['Pas.pdf'],
  ...more,
})

it('names who sent what and when, in text and HTML', () => {
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
])('%s', (_what, content, subject, said) => {
  const mail = inboxMail(NO_OFFICE, to, content, way)
  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(said)
})
