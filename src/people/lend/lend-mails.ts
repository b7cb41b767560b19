import type { User } from '../../accounts/users/user.ts'
import { letter } from '../../office/letter.ts'
import { senderOf, type Office } from '../../office/office.ts'

type Mail = ReturnType<typeof letter>

/** Goes to an adviser who has a login already. */
export function accessGivenMail(
  office: Office,
  adviser: User,
  { lender, isByOffice, what, link }: { lender: string; isByOffice: boolean; what: string; link: string },
): Mail {
  return letter(office, {
    to: adviser,
    subject: isByOffice
      ? `${senderOf(office)} har givet dig adgang for ${lender}`
      : `${lender} har givet dig adgang hos ${senderOf(office)}`,
    link,
    action: 'Se det i Ringbind',
    before: [
      isByOffice
        ? `Kontoret har givet dig adgang til at se papirer for ${lender}: ${what}.`
        : `${lender} har givet dig adgang til at se: ${what}.`,
    ],
    after: 'Du logger ind, som du plejer.',
  })
}

type Act = 'given' | 'changed' | 'taken-back'

const SUBJECTS: Record<Act, string> = {
  given: 'En anden har fået adgang til dine papirer',
  changed: 'Adgangen til dine papirer er ændret',
  'taken-back': 'En adgang til dine papirer er taget tilbage',
}

/** Goes to the lender whenever access is given, changed or taken back, by them or by the office. */
export function lendingMail(
  office: Office,
  lender: User,
  {
    act,
    isOwn,
    adviser,
    what,
    link,
    times = 1,
  }: {
    act: Act
    isOwn: boolean
    adviser: string
    what: string
    link: string
    /** How many acts the mail reports. It names the latest. */
    times?: number
  },
): Mail {
  const who = isOwn ? 'Du' : 'Kontoret'
  const said: Record<Act, string> = {
    given: `${who} har givet ${adviser} adgang til dine papirer i Ringbind: ${what}.`,
    changed: `${who} har ændret, hvad ${adviser} kan se af dine papirer i Ringbind. Fra nu af: ${what}.`,
    'taken-back': `${who} har taget adgangen tilbage fra ${adviser}, som ikke længere kan se dine papirer i Ringbind.`,
  }
  return letter(office, {
    to: lender,
    subject: SUBJECTS[act],
    link,
    action: 'Se, hvem der har adgang',
    before: [
      said[act],
      ...(times > 1
        ? [`Adgangen er ændret ${times} gange siden den forrige mail. Dette er det seneste.`]
        : []),
    ],
    after: isOwn
      ? 'Var det ikke dig, så tag adgangen tilbage, skift din adgangskode, og kontakt kontoret.'
      : 'Er det ikke aftalt med dig, så tag adgangen tilbage, og kontakt kontoret.',
  })
}
