import { expect, it } from 'vitest'
import { accessGivenMail, lendingMail } from './lend-mails.ts'

const office = { name: 'Nordhavn & Søn', contactPerson: '', phone: '', email: '', logo: null }
const user = { id: 1, name: 'Åse<b> Holm</b>', email: 'aase@example.dk', role: 'investor' as const }
const link = 'https://ringbind.example/profile/access'
const about = { adviser: 'Karen Lund (karen@example.dk)', what: 'Årsrapport, til og med 31/12/2026', link }

it.each([
  ['given', true, 'Du har givet Karen Lund (karen@example.dk) adgang', 'Var det ikke dig'],
  ['given', false, 'Kontoret har givet Karen Lund (karen@example.dk) adgang', 'Er det ikke aftalt med dig'],
  ['changed', true, 'Du har ændret, hvad Karen Lund (karen@example.dk) kan se', 'skift din adgangskode'],
  ['taken-back', false, 'Kontoret har taget adgangen tilbage', 'kontakt kontoret'],
] as const)('the lender is told that access is %s, by themselves: %s', (act, isOwn, said, advice) => {
  const mail = lendingMail(office, user, { act, isOwn, ...about })
  expect(mail.to).toBe('aase@example.dk')
  for (const text of [said, advice, link]) expect(mail.text).toContain(text)
  expect(mail.html).toContain('Kære Åse&lt;b&gt;')
})

it('the adviser is told what they can see, and on whose behalf', () => {
  const tell = (isByOffice: boolean) =>
    accessGivenMail(office, user, { lender: 'Bo Holm', isByOffice, what: about.what, link })
  const mail = tell(false)
  expect(mail.subject).toBe('Bo Holm har givet dig adgang hos Nordhavn & Søn')
  expect(tell(true).subject).toBe('Nordhavn & Søn har givet dig adgang for Bo Holm')
  expect(tell(true).text).toContain('Kontoret har givet dig adgang til at se papirer for Bo Holm: Årsrapport')
  expect(mail.text).toContain('Årsrapport, til og med 31/12/2026.')
})

it('a joined mail says how many acts it tells of', () => {
  const mail = lendingMail(office, user, { act: 'changed', isOwn: true, ...about, times: 306 })
  expect(mail.text).toContain('306 gange siden den forrige mail')
})
