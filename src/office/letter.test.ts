import { expect, it } from 'vitest'
import { letter } from './letter.ts'
import { NO_OFFICE } from './office.ts'
import { outcomeOf, testMail } from './test-mail.ts'

const to = { name: 'Dr. Åse Nørregaard', email: 'aase@example.dk' }
const link = 'https://ringbind.example/'
const words = { to, subject: 'Prøve', link, action: 'Gå til Ringbind', before: ['Hej.'], after: 'Slut.' }
const office = {
  name: 'Nordhavn & Søn',
  contactPerson: 'Kirsten Overgaard',
  phone: '33 12 34 56',
  email: 'post@nordhavn.example',
  logo: { address: '/office/logo/abc', width: 400, height: 100 },
}

it('a mail is signed by the office with its contact and logo, and replies go to the office', () => {
  const { text, html, replyTo } = letter(office, words)
  expect(text).toContain(
    'Venlig hilsen\nNordhavn & Søn\nKirsten Overgaard · 33 12 34 56 · post@nordhavn.example',
  )
  expect(html).toContain('<img src="cid:logo@ringbind" alt="" width="200" height="50"')
  expect(html).toContain('Venlig hilsen<br>Nordhavn &amp; Søn')
  expect(html).toContain('Kirsten Overgaard · 33 12 34 56')
  expect(replyTo).toBe('post@nordhavn.example')
})

it('a mail is signed by Ringbind if the office has no name', () => {
  const mail = letter(NO_OFFICE, words)
  expect(mail.text).toBe(
    'Kære Åse\n\nHej.\n\nGå til Ringbind:\nhttps://ringbind.example/\n\nSlut.\n\nVenlig hilsen\nRingbind',
  )
  expect(mail.html).not.toContain('<img')
  expect(mail).not.toHaveProperty('replyTo')
})

it.each([
  [{ ...NO_OFFICE, logo: { address: '/x', width: 160, height: 160 } }, 'width="56" height="56"'],
  [{ ...NO_OFFICE, logo: { address: '/x', width: 40, height: 20 } }, 'width="40" height="20"'],
])('a mail shows the logo at its own size at most, within the room for it: %#', (who, size) => {
  expect(letter(who, words).html).toContain(size)
})

it('a test mail looks like any other mail', () => {
  expect(testMail(office, to, link)).toMatchObject({
    to: 'aase@example.dk',
    subject: 'Prøvemail fra Nordhavn & Søn',
    fromName: 'Nordhavn & Søn',
  })
})

it.each([
  [
    'accepted',
    '250 Ok',
    'Mailserveren har taget imod prøvemailen til a@b.dk. Kig også i uønsket post. Den svarede: ”250 Ok”',
  ],
  ['refused', '550 Nej', 'Mailserveren afviste prøvemailen. Den svarede: ”550 Nej”'],
  [
    'unreachable',
    'ECONNREFUSED',
    'Mailserveren kan ikke nås. Kontroller adressen i SMTP_URL. Fejlen er: ”ECONNREFUSED”',
  ],
  ['silent', '', 'Mailserveren svarede ikke i tide. Kontroller adressen og porten i SMTP_URL.'],
] as const)('describes the outcome of a test mail: %s', (kind, answer, outcome) => {
  expect(outcomeOf({ kind, answer }, 'a@b.dk')).toBe(outcome)
})
