import { spokenTime } from '../base/time/dates.ts'
import { letter } from '../office/letter.ts'
import type { Office } from '../office/office.ts'
import type { MailedTrouble } from './attention.ts'
import { pastTitle, wordsOf } from './trouble-words.ts'

type About = { trouble: MailedTrouble; endedAt: Date | null }

/** Tells an administrator what is wrong with the installation, and what to do. */
export function troubleMail(
  office: Office,
  to: { name: string; email: string },
  link: string,
  { trouble, endedAt }: About,
  when: { now: string; timeZone: string },
): ReturnType<typeof letter> {
  const { title, says, todo } = wordsOf(trouble, when)
  return letter(office, {
    to,
    subject: endedAt === null ? title : pastTitle(trouble),
    link,
    action: 'Se Status',
    before:
      endedAt === null
        ? [says, todo]
        : [
            says,
            `Siden ${spokenTime(endedAt, when.timeZone)} kommer mails af sted igen. De, der ventede, sendes.`,
          ],
    after: 'Du får kun én mail om det, så længe det varer, og kan slå disse mails fra under Min profil.',
  })
}
