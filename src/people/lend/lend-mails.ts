import type { User } from '../../accounts/user.ts'
import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'

type Mail = ReturnType<typeof letter>

/** Goes to an adviser who has a login already. */
export function accessGivenMail(
  office: Office,
  adviser: User,
  { lender, what, link }: { lender: string; what: string; link: string },
): Mail {
  return letter(office, {
    to: adviser,
    subject: `${lender} har givet dig adgang i Ringbind`,
    link,
    action: 'Se det i Ringbind',
    before: [`${lender} har givet dig adgang til at se: ${what}.`],
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
  }: { act: Act; isOwn: boolean; adviser: string; what: string; link: string },
): Mail {
  const who = isOwn ? 'Du' : 'Kontoret'
  const said: Record<Act, string> = {
    given: `${who} har givet ${adviser} adgang til at se det, du kan se i Ringbind: ${what}.`,
    changed: `${who} har ændret, hvad ${adviser} kan se af det, du kan se i Ringbind. Fra nu af: ${what}.`,
    'taken-back': `${who} har taget adgangen tilbage fra ${adviser}, som ikke længere kan se noget af det, du kan se i Ringbind.`,
  }
  return letter(office, {
    to: lender,
    subject: SUBJECTS[act],
    link,
    action: 'Se, hvem der har adgang',
    before: [said[act]],
    after: isOwn
      ? 'Var det ikke dig, så tag adgangen tilbage, skift din adgangskode, og kontakt kontoret.'
      : 'Er det ikke aftalt med dig, så tag adgangen tilbage, og kontakt kontoret.',
  })
}
