import { letter } from './letter.ts'
import { senderOf, type Office } from './office.ts'
import type { MailTrial } from '../server/try-mail.ts'

export function testMail(office: Office, to: { name: string; email: string }, link: string) {
  return letter(office, {
    to,
    subject: `Prøvemail fra ${senderOf(office)}`,
    link,
    action: 'Gå til Ringbind',
    before: ['Du har bedt om en prøvemail. Kan du læse den, kommer mails fra Ringbind frem.'],
    after: 'Sådan ser mails fra kontoret ud.',
  })
}

const OUTCOMES: Record<MailTrial['kind'], (to: string) => string> = {
  accepted: (to) => `Mailserveren har taget imod prøvemailen til ${to}. Kig også i uønsket post.`,
  refused: () => 'Mailserveren afviste prøvemailen.',
  'no-login': () =>
    'Ringbind kunne ikke logge ind på mailserveren. Kontroller brugernavn og adgangskode i SMTP_URL.',
  insecure: () => 'Forbindelsen til mailserveren er ikke sikker.',
  unreachable: () => 'Mailserveren kan ikke nås. Kontroller adressen i SMTP_URL.',
  silent: () => 'Mailserveren svarede ikke i tide. Kontroller adressen og porten i SMTP_URL.',
}

/** Tells an administrator in Danish what became of a test mail to `to`. */
export function outcomeOf({ kind, answer }: MailTrial, to: string): string {
  const said =
    answer && (kind === 'accepted' || kind === 'refused' || kind === 'no-login' ? 'Den svarede' : 'Fejlen er')
  return said ? `${OUTCOMES[kind](to)} ${said}: ”${answer}”` : OUTCOMES[kind](to)
}
