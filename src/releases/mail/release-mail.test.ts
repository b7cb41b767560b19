import { expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { releaseMail, type NamedFile } from './release-mail.ts'

const to = { name: 'Åse Nørregaard', email: 'aase@example.dk' }
const link = 'https://ringbind.example/projects/7/uploads'
const project = { id: 7, name: 'K/S Østergade' }
const file = (name: string, more: Partial<NamedFile> = {}): NamedFile => ({
  project,
  folder: 'Årsrapport',
  name,
  isVersion: false,
  clients: [],
  ...more,
})
const known = { link, invitationHours: null }
const plain = { isReminder: false, messages: [], isForEverybody: false }

it('a release mail names each file under its project and folder, in text and HTML', () => {
  const files = [
    file('Årsrapport 2025.pdf'),
    file('Budget <2026>.pdf', { folder: 'Budget' }),
    file('Brev.pdf', { project: null, folder: 'Egne filer' }),
  ]
  const { subject, text, html } = releaseMail(NO_OFFICE, to, { ...plain, files, total: 3 }, known)
  expect(subject).toBe('Du har 3 nye filer')
  expect(text).toContain('K/S Østergade · Årsrapport\n– Årsrapport 2025.pdf')
  expect(text).toContain('Dine egne filer\n– Brev.pdf')
  expect(html).toContain('– Budget &lt;2026&gt;.pdf')
})

it.each([
  ['one file', 1, false, 'Du har en ny fil i K/S Østergade', 'Se filen:'],
  ['more than it names', 40, false, 'Du har 40 nye filer', '… og 39 filer mere.'],
  ['a reminder', 1, true, 'Påmindelse: Du har en ulæst fil i K/S Østergade', 'ikke har åbnet'],
])('a release mail about %s', (_what, total, isReminder, subject, said) => {
  const mail = releaseMail(NO_OFFICE, to, { ...plain, files: [file('Brev.pdf')], total, isReminder }, known)
  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(said)
})

it('a release mail has an invitation for a person who has never signed in', () => {
  const { text } = releaseMail(
    NO_OFFICE,
    to,
    { ...plain, files: [file('Brev.pdf')], total: 1 },
    { link: 'https://ringbind.example/invitation/abc', invitationHours: 336 },
  )
  expect(text).toContain('Vælg adgangskode:\nhttps://ringbind.example/invitation/abc')
  expect(text).toContain('virker i 14 dage')
  expect(text).toContain('Du logger ind med aase@example.dk.')
})

it('a release mail has the office’s message, and says if it goes to everybody', () => {
  const { text, html } = releaseMail(
    NO_OFFICE,
    to,
    {
      ...plain,
      files: [file('Skat.pdf')],
      total: 1,
      messages: ['Husk <fristen>\nden 1. maj.'],
      isForEverybody: true,
    },
    known,
  )
  expect(text).toContain('– Skat.pdf\n\nHusk <fristen>\nden 1. maj.\n\nSe filen:')
  expect(html).toContain('Husk &lt;fristen&gt;<br>den 1. maj.')
  expect(text).toContain('Denne mail sendes til alle')
  expect(text).not.toContain('Min profil')
})

it('a release mail tells an adviser for which client it is', () => {
  const mine = file('Årsrapport 2025.pdf', { clients: ['Bo Holm'] })
  const tell = (files: NamedFile[]) =>
    releaseMail(NO_OFFICE, to, { ...plain, files, total: files.length }, known)
  expect(tell([mine]).subject).toBe('Du har en ny fil i K/S Østergade (for Bo Holm)')
  expect(tell([mine]).text).toContain('K/S Østergade · Årsrapport (for Bo Holm)\n– Årsrapport 2025.pdf')
  const both = [mine, file('Brev.pdf', { project: null, folder: 'Egne filer', clients: ['Ida Lund'] })]
  expect(tell(both).subject).toBe('Du har 2 nye filer')
  expect(tell(both).text).toContain('Egne filer (for Ida Lund)\n– Brev.pdf')
})
