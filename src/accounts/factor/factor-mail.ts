import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'

/** The changes of a second factor that a person is told about. */
export type FactorNews =
  | 'app-added'
  | 'app-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'codes-made'
  | 'code-used'
  | 'reset'

const TEXTS: Record<FactorNews, { subject: string; what: string }> = {
  'app-added': {
    subject: 'En kode-app er tilføjet til dit login',
    what: 'Der er tilføjet en kode-app til dit login på Ringbind.',
  },
  'app-removed': {
    subject: 'En kode-app er fjernet fra dit login',
    what: 'Kode-appen er fjernet fra dit login på Ringbind.',
  },
  'passkey-added': {
    subject: 'En adgangsnøgle er tilføjet til dit login',
    what: 'Der er tilføjet en adgangsnøgle til dit login på Ringbind. Den kan bruges i stedet for din adgangskode.',
  },
  'passkey-removed': {
    subject: 'En adgangsnøgle er fjernet fra dit login',
    what: 'En adgangsnøgle er fjernet fra dit login på Ringbind.',
  },
  'codes-made': {
    subject: 'Du har fået nye nødkoder',
    what: 'Der er lavet nye nødkoder til dit login på Ringbind. De gamle virker ikke længere.',
  },
  'code-used': {
    subject: 'En af dine nødkoder er brugt',
    what: 'En af dine nødkoder er lige brugt til at logge ind på Ringbind. Den kan ikke bruges igen.',
  },
  reset: {
    subject: 'Dit totrinslogin er nulstillet',
    what: 'Kontoret har nulstillet dit totrinslogin på Ringbind, og du er logget ud på alle enheder. Log ind med din adgangskode, og slå det til igen.',
  },
}

/** Tells the person, so that nobody can change how they sign in unnoticed. */
export function factorMail(
  office: Office,
  user: { name: string; email: string },
  news: FactorNews,
  newPasswordLink: string,
  times = 1,
): ReturnType<typeof letter> {
  const { subject, what } = TEXTS[news]
  return letter(office, {
    to: user,
    subject,
    link: newPasswordLink,
    action: 'Vælg en ny adgangskode',
    before: [
      what,
      ...(times > 1 ? [`Det er sket ${times} gange siden den forrige mail. Dette er det seneste.`] : []),
      news === 'reset'
        ? 'Er det ikke aftalt med dig, så vælg straks en ny adgangskode, og kontakt kontoret.'
        : 'Var det ikke dig, så vælg straks en ny adgangskode, og kontakt kontoret.',
    ],
    after:
      news === 'reset' ? 'Er det aftalt, skal du ikke gøre mere.' : 'Var det dig, skal du ikke gøre noget.',
  })
}
