import { listed } from '../../base/danish/listed.ts'
import { letter } from '../../office/letter.ts'
import { senderOf, type Office } from '../../office/office.ts'
import { hasOwnFiles, isLentTo, type Role } from '../../rights.ts'
import { urls } from '../../urls.ts'
import type { User } from '../users/user.ts'

type Mail = ReturnType<typeof letter>

const IF_NOT_YOU = 'Var det ikke dig, så vælg straks en ny adgangskode, og kontakt kontoret.'

export function resetMail(
  office: Office,
  user: User,
  link: string,
  hours: number,
  /** The person in the office who sends it; null if the user has asked for it. */
  sender: string | null = null,
): Mail {
  return letter(office, {
    to: user,
    subject: `Vælg en ny adgangskode til ${senderOf(office)}`,
    link,
    action: 'Vælg ny adgangskode',
    before: [
      sender === null
        ? 'Du har bedt om en ny adgangskode til Ringbind.'
        : `${sender} har sendt dig et link til en ny adgangskode til Ringbind.`,
    ],
    after:
      sender === null
        ? `Linket virker i ${hours} timer og kan bruges én gang. Har du ikke bedt om det, så se bort fra mailen.`
        : `Linket virker i ${hours} timer og kan bruges én gang. Din gamle adgangskode virker, indtil du har valgt en ny.`,
  })
}

/** Tells the person, so that nobody can change their password unnoticed. */
export function passwordChangedMail(office: Office, user: User, link: string): Mail {
  return letter(office, {
    to: user,
    subject: 'Din adgangskode er ændret',
    link,
    action: 'Vælg en ny adgangskode',
    before: ['Din adgangskode til Ringbind er ændret, og du er logget ud på alle andre enheder.', IF_NOT_YOU],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/** Tells the person that they can also sign in at a provider (`name`), so that nobody can add a way in unnoticed. */
export function identityLinkedMail(office: Office, user: User, name: string, appUrl: string): Mail {
  return letter(office, {
    to: user,
    subject: `${name} er knyttet til dit login hos ${senderOf(office)}`,
    link: appUrl + urls.profile,
    action: 'Se din profil',
    before: [
      `Du kan nu også logge ind på Ringbind med ${name}.`,
      'Var det ikke dig, så fjern det straks under Min profil, vælg en ny adgangskode, og kontakt kontoret.',
    ],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

export function identityUnlinkedMail(office: Office, user: User, name: string, appUrl: string): Mail {
  return letter(office, {
    to: user,
    subject: `${name} er fjernet fra dit login hos ${senderOf(office)}`,
    link: appUrl + urls.profile,
    action: 'Se din profil',
    before: [`Du kan ikke længere logge ind på Ringbind med dit login hos ${name}.`, IF_NOT_YOU],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/**
 * Tells the person that a program can act for them, so that nobody can make an API key unnoticed. `can` is what the key is for:
 * 'læse', 'uploade'.
 */
export function tokenAddedMail(
  office: Office,
  user: User,
  link: string,
  {
    name,
    can,
    days,
    device,
    times = 1,
  }: { name: string; can: readonly string[]; days: number; device: string; times?: number },
): Mail {
  return letter(office, {
    to: user,
    subject: `Der er lavet en API-nøgle i dit navn hos ${senderOf(office)}`,
    link,
    action: 'Se dine API-nøgler',
    before: [
      `API-nøglen ”${name}” er lavet i dit navn i Ringbind (${device}). Et program med nøglen kan ${listed(can)} på dine vegne i ${days} dage, men aldrig mere end du selv.`,
      ...(times > 1
        ? [`Der er lavet ${times} API-nøgler siden den forrige mail. Dette er den seneste.`]
        : []),
      'Var det ikke dig, så spær straks nøglen, vælg en ny adgangskode, og kontakt kontoret.',
    ],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/** Goes to the person's old address, after an administrator changed it. Does not mention the new one. */
export function emailLeftMail(office: Office, user: User, loginLink: string): Mail {
  return letter(office, {
    to: user,
    subject: `Din e-mail hos ${senderOf(office)} er ændret`,
    link: loginLink,
    action: 'Gå til Ringbind',
    before: ['Kontoret har ændret den e-mail, du logger ind med. Denne kan ikke længere bruges.'],
    after: 'Er det ikke aftalt med dig, så kontakt straks kontoret.',
  })
}

/** Goes to the person's new address. */
export function emailTakenUpMail(office: Office, user: User, loginLink: string): Mail {
  return letter(office, {
    to: user,
    subject: `Din e-mail hos ${senderOf(office)} er ændret`,
    link: loginLink,
    action: 'Log ind',
    before: [`Fra nu af logger du ind på Ringbind med ${user.email} og den adgangskode, du plejer.`],
    after: 'Er det ikke aftalt med dig, så kontakt kontoret.',
  })
}

/**
 * `inviter` is the name of the person in the office who gave access, `lender` that of an investor whose papers an adviser will
 * see. Without an inviter the lender gave it.
 */
export function invitationMail(
  office: Office,
  user: User,
  link: string,
  hours: number,
  inviter: string | null,
  lender: string | null = null,
): Mail {
  const given = lender
    ? inviter
      ? `${inviter} fra ${senderOf(office)} har givet dig adgang til at se papirer for ${lender} i Ringbind.`
      : `${lender} har givet dig adgang til at se sine papirer i Ringbind.`
    : inviter
      ? `${inviter} har givet dig adgang til Ringbind.`
      : 'Du har fået adgang til Ringbind.'
  return letter(office, {
    to: user,
    subject: `Du er inviteret til ${senderOf(office)}`,
    link,
    action: 'Kom i gang',
    before: [`${given} ${whatForOf(user.role)} Du skal kun vælge en adgangskode.`],
    after: `Linket virker i ${hours / 24} dage og kan bruges én gang. Du logger ind med ${user.email}.`,
  })
}

/** Tells the person of a sign-in from a browser that they have not used before. `at` is '17/11/2026 kl. 08.15'. */
export function newDeviceMail(
  office: Office,
  user: User,
  link: string,
  { device, at }: { device: string; at: string },
): Mail {
  return letter(office, {
    to: user,
    subject: `Ny enhed logget ind hos ${senderOf(office)}`,
    link,
    action: 'Vælg en ny adgangskode',
    before: [
      `Der er logget ind på Ringbind med din e-mail fra en enhed, du ikke har brugt før: ${device}, ${at}.`,
      IF_NOT_YOU,
    ],
    after: 'Var det dig, skal du ikke gøre noget.',
  })
}

/** Tells an administrator that somebody tries a person's password again and again. */
export function guessingMail(office: Office, user: User, name: string, logLink: string): Mail {
  return letter(office, {
    to: user,
    subject: `Mange forkerte forsøg på at logge ind som ${name}`,
    link: logLink,
    action: 'Se loggen',
    before: [
      `Der har været mange forkerte forsøg på at logge ind på Ringbind som ${name}. Der skal nu ventes mellem forsøgene.`,
      `Spørg ${name}, om det er vedkommende selv. Send ellers et link til en ny adgangskode fra personens side.`,
    ],
    after: 'Du får højst én om dagen for hver person og kan slå dem fra under Min profil.',
  })
}

/** Tells the person that they see more or less than before. */
export function roleChangedMail(
  office: Office,
  user: User,
  link: string,
  roles: { before: string; after: string },
): Mail {
  return letter(office, {
    to: user,
    subject: `Din rolle hos ${senderOf(office)} er ændret`,
    link,
    action: 'Gå til Ringbind',
    before: [`Kontoret har ændret din rolle i Ringbind fra ${roles.before} til ${roles.after}.`],
    after: 'Er det ikke aftalt med dig, så kontakt straks kontoret.',
  })
}

function whatForOf(role: Role): string {
  if (hasOwnFiles(role)) return 'Her finder du dine papirer og kan sende filer til kontoret.'
  return isLentTo(role)
    ? 'Her finder du det, du har fået adgang til.'
    : 'Her finder du projekterne og deres papirer.'
}
