import type { User } from '../../accounts/users/user.ts'
import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'
import type { Mail } from '../../server/mail.ts'

type Stopped = { name: string; host: string; because: 'failed' | 'gone' }

const WHY: Record<Stopped['because'], string> = {
  failed: 'har ikke taget imod beskeder i et døgn',
  gone: 'har svaret, at den ikke vil have flere beskeder',
}

/** Tells an administrator that a webhook is switched off. */
export function hookStoppedMail(
  office: Office,
  user: User,
  { name, host, because }: Stopped,
  link: string,
): Mail {
  return letter(office, {
    to: user,
    subject: `Webhooken ${name} er slået fra`,
    link,
    action: 'Se webhooken',
    before: [
      `Modtageren ${host} ${WHY[because]}. Derfor er webhooken ${name} slået fra.`,
      'Det, der sker imens, får modtageren ikke besked om. Beskeder, der ventede, sendes, når den bliver slået til.',
    ],
    after: 'Virker modtageren igen, så send en prøve, og slå webhooken til.',
  })
}
