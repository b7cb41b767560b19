import { expect, it } from 'vitest'
import { hookStoppedMail } from './hook-mail.ts'

const office = { name: 'Nordhavn & Søn', contactPerson: '', phone: '', email: '', logo: null }
const user = { id: 1, name: 'Åse <b>', email: 'aase@example.dk', role: 'administrator' as const }
const link = 'https://ringbind.example/settings/hooks/1'

it.each([
  ['failed' as const, 'har ikke taget imod beskeder i et døgn'],
  ['gone' as const, 'ikke vil have flere beskeder'],
])('says why a webhook is off: %s', (because, words) => {
  const mail = hookStoppedMail(
    office,
    user,
    { name: 'Regnskab <i>', host: 'regnskab.example', because },
    link,
  )
  expect(mail.subject).toBe('Webhooken Regnskab <i> er slået fra')
  expect(mail.text).toContain(
    `Modtageren regnskab.example ${because === 'gone' ? 'har svaret, at den ' : ''}${words}`,
  )
  expect(mail.text).toContain(link)
  expect(mail.html).toContain('webhooken Regnskab &lt;i&gt; slået fra')
  expect(mail.html).toContain(`href="${link}"`)
})
