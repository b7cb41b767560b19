import { expect, it } from 'vitest'
import * as mails from './mails.ts'
import {
  emailLeftMail,
  emailTakenUpMail,
  guessingMail,
  identityLinkedMail,
  identityUnlinkedMail,
  invitationMail,
  newDeviceMail,
  passwordChangedMail,
  resetMail,
  roleChangedMail,
  tokenAddedMail,
} from './mails.ts'

const office = {
  name: 'Nordhavn & Søn',
  contactPerson: 'Kirsten Overgaard',
  phone: '33 12 34 56',
  email: 'post@nordhavn.example',
  logo: { address: '/office/logo/abc', width: 400, height: 100 },
}
const user = { id: 1, name: 'Åse<b> Nørregaard</b>', email: 'aase@example.dk', role: 'investor' as const }
const APP = 'https://ringbind.example'
const link = `${APP}/invitation/abc`

/** One of each mail; the type finds a forgotten one. */
const MAILS: Record<keyof typeof mails, ReturnType<typeof resetMail>> = {
  resetMail: resetMail(office, user, link, 2),
  invitationMail: invitationMail(office, user, link, 336, 'Kirsten Overgaard'),
  passwordChangedMail: passwordChangedMail(office, user, link),
  emailLeftMail: emailLeftMail(office, user, link),
  emailTakenUpMail: emailTakenUpMail(office, user, link),
  newDeviceMail: newDeviceMail(office, user, link, {
    device: 'Chrome på Windows',
    at: '17/11/2026 kl. 08.15',
  }),
  guessingMail: guessingMail(office, user, 'Bo Holm', link),
  roleChangedMail: roleChangedMail(office, user, link, { before: 'Investor', after: 'Medarbejder' }),
  tokenAddedMail: tokenAddedMail(office, user, link, {
    name: 'Scanner',
    can: ['læse', 'uploade'],
    days: 90,
    device: 'Chrome på Windows',
  }),
  identityLinkedMail: identityLinkedMail(office, user, 'MitID', APP),
  identityUnlinkedMail: identityUnlinkedMail(office, user, 'MitID', APP),
}

it.each(Object.entries(MAILS))(
  '%s says the same as text and as HTML, and escapes names in the HTML',
  (_name, mail) => {
    expect(mail.to).toBe('aase@example.dk')
    expect(mail.text).toContain('Kære Åse<b>')
    expect(mail.html).toContain('Kære Åse&lt;b&gt;')
    expect(mail.html).toContain('<html lang="da">')
    const [address] = /https:\/\/ringbind\.example\/\S+/.exec(mail.text)!
    expect(mail.html).toContain(`href="${address}"`)
    expect([link, `${APP}/profile`]).toContain(address)
  },
)

it('mails with a link name its lifetime', () => {
  expect(resetMail(office, user, link, 2).text).toContain('virker i 2 timer')
  expect(resetMail(office, user, link, 24, 'Mads Thorup').text).toContain('Mads Thorup har sendt dig et link')
  expect(invitationMail(office, user, link, 336, null).text).toContain('virker i 14 dage')
})

it('an invitation names the inviter if there is one', () => {
  expect(invitationMail(office, user, link, 336, 'Kirsten Overgaard').text).toContain(
    'Kirsten Overgaard har givet dig adgang',
  )
  expect(invitationMail(office, user, link, 336, null).text).toContain('Du har fået adgang')
})

it('the invitation of an adviser names the office, and who lends the access: the office or the client', () => {
  const invite = (inviter: string | null) => invitationMail(office, user, link, 336, inviter, 'Bo Holm')
  expect(invite(null)).toMatchObject({
    subject: 'Du er inviteret til Nordhavn & Søn',
    fromName: 'Nordhavn & Søn',
  })
  expect(invite(null).text).toContain('Bo Holm har givet dig adgang til at se sine papirer')
  expect(invite('Kirsten Overgaard').text).toContain(
    'Kirsten Overgaard fra Nordhavn & Søn har givet dig adgang til at se papirer for Bo Holm',
  )
  for (const mail of Object.values(MAILS)) expect(mail.subject).not.toContain('Ringbind')
})

it('explains right before the link what to do if somebody else changed the password', () => {
  const { text, html } = passwordChangedMail(office, user, link)
  const warning = 'Var det ikke dig, så vælg straks en ny adgangskode, og kontakt kontoret.'
  expect(text).toContain(`${warning}\n\nVælg en ny adgangskode:\n${link}\n\nVar det dig, skal du ikke`)
  expect(html).toMatch(new RegExp(`${warning}</p>\\s*<p[^>]*><a href="${link}"`))
})

it('the mail about a new role names the old and the new one, and what to do if it was not agreed', () => {
  const { text } = roleChangedMail(office, user, link, { before: 'Investor', after: 'Medarbejder' })
  expect(text).toContain('fra Investor til Medarbejder')
  expect(text).toContain('kontakt straks kontoret')
})

it('the text version of a mail mentions no button', () => {
  for (const { text } of Object.values(MAILS)) expect(text).not.toMatch(/knap/i)
})
