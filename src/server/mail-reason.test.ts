import { expect, test } from 'vitest'
import { MailRefused } from './mail.ts'
import { mailReason, OWN_FAULT } from './mail-reason.ts'

const refused = (response: string) =>
  new MailRefused('The mail server refused it: 550', { cause: { code: 'EENVELOPE', response } })

test.each([
  ['an answer', refused('550 No such user'), '550 No such user'],
  ['several lines', { code: 'EMESSAGE', response: '451-Come\r\n451 again' }, '451-Come 451 again'],
  [
    'a quoted invitation',
    refused('554 Blocked link https://ringbind.example/invitation/abcdefgh in mail'),
    '554 Blocked link … in mail',
  ],
  ['a quoted token', refused(`554 Blocked ${'aB3_'.repeat(8)} in mail`), '554 Blocked … in mail'],
  [
    'a refused login',
    { code: 'EAUTH', response: '535 Wrong password hemmelig for post@example.dk' },
    'Ringbind kunne ikke logge ind på mailserveren',
  ],
  [
    'no connection',
    { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.4:25' },
    'Mailserveren kunne ikke nås',
  ],
  ['silence', { code: 'ETIMEDOUT', message: 'Timeout' }, 'Mailserveren svarede ikke i tide'],
  ['an error of our own', new Error('duplicate key value (email)=(a@example.dk)'), OWN_FAULT],
  ['an error of the database', Object.assign(new Error('deadlock'), { code: '40P01' }), OWN_FAULT],
])('the reason of %s', (_what, error, reason) => {
  expect(mailReason(error)).toBe(reason)
})

test('cuts a long answer of the mail server', () => {
  expect(mailReason(refused(`550 ${'nej '.repeat(500)}`))).toHaveLength(200)
})
