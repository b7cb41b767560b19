import { letter } from '../office/letter.ts'
import type { Office } from '../office/office.ts'
import { hasOwnFiles } from '../rights.ts'
import type { User } from './user.ts'

type Mail = ReturnType<typeof letter>

export function resetMail(
  office: Office,
  user: User,
  link: string,
  hours: number,
  /** Who in the office sends it, if the person has not asked for it. */
  sender: string | null = null,
): Mail {
  return letter(office, {
    to: user,
    subject: 'Vælg en ny adgangskode til Ringbind',
    link,
    action: 'Vælg ny adgangskode',
    before: [
      sender === null
        ? 'Du har bedt om en ny adgangskode til Ringbind.'
        : `${sender} har sendt dig et link, så du kan vælge en ny adgangskode til Ringbind.`,
    ],
    after:
      sender === null
        ? `Linket virker i ${hours} timer og kan bruges én gang. Har du ikke bedt om det, kan du se bort fra denne mail. Din adgangskode bliver ikke ændret.`
        : `Linket virker i ${hours} timer og kan bruges én gang. Din nuværende adgangskode virker, indtil du har valgt en ny.`,
  })
}

/** Tells the person, so that nobody can change their password unnoticed. */
export function passwordChangedMail(office: Office, user: User, link: string): Mail {
  return letter(office, {
    to: user,
    subject: 'Din adgangskode er ændret',
    link,
    action: 'Vælg en ny adgangskode',
    before: [
      'Din adgangskode til Ringbind er blevet ændret, og du er logget ud på alle andre enheder.',
      'Var det ikke dig, så vælg straks en ny adgangskode, og giv kontoret besked.',
    ],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/** Goes to the person's old address, after an administrator changed it. Does not mention the new one. */
export function emailLeftMail(office: Office, user: User, loginLink: string): Mail {
  return letter(office, {
    to: user,
    subject: 'Din e-mail i Ringbind er ændret',
    link: loginLink,
    action: 'Gå til Ringbind',
    before: [
      'Kontoret har ændret den e-mail, du logger ind på Ringbind med. Denne adresse kan ikke længere bruges.',
    ],
    after: 'Er det ikke aftalt med dig, så kontakt straks kontoret.',
  })
}

/** Goes to the person's new address. */
export function emailTakenUpMail(office: Office, user: User, loginLink: string): Mail {
  return letter(office, {
    to: user,
    subject: 'Din e-mail i Ringbind er ændret',
    link: loginLink,
    action: 'Log ind',
    before: [
      `Kontoret har ændret din e-mail i Ringbind. Fra nu af logger du ind med ${user.email} og den adgangskode, du plejer.`,
    ],
    after: 'Er det ikke aftalt med dig, så kontakt kontoret.',
  })
}

/** `inviter` is the name of the person who gave access. */
export function invitationMail(
  office: Office,
  user: User,
  link: string,
  hours: number,
  inviter: string | null,
): Mail {
  const whatFor = hasOwnFiles(user.role)
    ? 'Her finder du dokumenterne fra dine projekter og kan sende filer til kontoret.'
    : 'Her finder du projekterne og deres dokumenter.'
  const given = inviter ? `${inviter} har givet dig adgang til Ringbind.` : 'Du har fået adgang til Ringbind.'
  return letter(office, {
    to: user,
    subject: 'Du er inviteret til Ringbind',
    link,
    action: 'Kom i gang',
    before: [`${given} ${whatFor} Det eneste, du skal gøre, er at vælge en adgangskode.`],
    after: `Linket virker i ${hours / 24} dage og kan bruges én gang. Du logger ind med ${user.email}.`,
  })
}
