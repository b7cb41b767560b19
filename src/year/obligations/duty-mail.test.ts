import { expect, it } from 'vitest'
import { NO_OFFICE } from '../../office/office.ts'
import { dutyMail } from './duty-mail.ts'

const to = { name: 'Mette Holm', email: 'mette@example.dk' }
const way = { link: 'https://ringbind.example/obligations?person=7', today: '2027-04-24' }
const duty = (due_on: string, title = 'CRS <b>', name = 'K/S Nordhavn') => ({
  title,
  period: '2026',
  starts_on: '2026-01-01',
  ends_on: '2026-12-31',
  due_on,
  project: { id: 1, number: '1024', name },
})

it('a mail about duties names what is due, with the day of the week and days off', () => {
  const { subject, text, html } = dutyMail(
    NO_OFFICE,
    to,
    { duties: [duty('2027-05-01')], total: 1, late: 0 },
    way,
  )
  expect(subject).toBe('Frist: CRS <b> 2026 for K/S Nordhavn')
  expect(text).toContain('Nærmer sig:\n– CRS <b> 2026, 1024 K/S Nordhavn: lørdag 01/05/2027, om 7 dage')
  expect(text).toContain('Se dine frister:\nhttps://ringbind.example/obligations?person=7')
  expect(text).toContain('ikke juridisk rådgivning')
  expect(html).toContain('CRS &lt;b&gt; 2026')
})

it('a mail about duties names late ones first', () => {
  const duties = [duty('2027-04-15', 'Skat'), duty('2027-04-25')]
  const { subject, text } = dutyMail(NO_OFFICE, to, { duties, total: 2, late: 1 }, way)
  expect(subject).toBe('1 frist er forsinket')
  expect(text).toContain(
    'Forsinket:\n– Skat 2026, 1024 K/S Nordhavn: torsdag 15/04/2027, forsinket 9 dage\n\nNærmer sig:\n',
  )
})

it('a mail about duties counts those it does not name', () => {
  const content = { duties: [duty('2027-05-01')], total: 40, late: 0 }
  const { subject, text } = dutyMail(NO_OFFICE, to, content, way)
  expect(subject).toBe('40 frister nærmer sig')
  expect(text).toContain('… og 39 frister mere.')
})
