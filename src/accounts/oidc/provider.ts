import type { Provider } from '../../config.ts'

/** A provider as a page shows it. */
export type ProviderButton = Pick<Provider, 'key' | 'name' | 'button'>

export const buttonsOf = (providers: Provider[]): ProviderButton[] =>
  providers.map(({ key, name, button }) => ({ key, name, button }))

/** A person's login at a provider, as their profile lists it. */
export type Identity = {
  id: number
  /** 'MitID', or the host of a provider that is no longer set up. */
  name: string
  linked_at: string
  used_at: string | null
}

/** At most this many identities belong to one person. */
export const MOST_IDENTITIES = 20

/** Why a sign-in at a provider failed. `name` is the provider's. */
const PROBLEMS = {
  cancelled: (name) => `Du afbrød hos ${name}. Prøv igen.`,
  unavailable: (name) => `${name} svarer ikke lige nu. Prøv igen om lidt, eller brug en adgangskode.`,
  invalid: (name) => `Svaret fra ${name} kunne ikke godkendes. Prøv igen, eller kontakt kontoret.`,
  expired: (name) => `Der gik for lang tid, eller du begyndte i et andet vindue. Prøv igen med ${name}.`,
  unknown: (name) =>
    `Dit login hos ${name} er ikke tilknyttet her. Log ind, som du plejer, og tilknyt ${name} under Min profil, eller kontakt kontoret.`,
  closed: () => 'Dit login er deaktiveret. Kontakt kontoret.',
  weak: (name) =>
    `Dit login hos ${name} var ikke sikkert nok. Log ind der på en sikrere måde, eller kontakt kontoret.`,
  cpr: (name) => `${name} sendte noget, der ligner et CPR-nummer, som ikke må gemmes her. Kontakt kontoret.`,
  'other-session': (name) => `Du er ikke længere logget ind som den, der begyndte. Prøv igen med ${name}.`,
  taken: (name) => `Det login hos ${name} er allerede knyttet til en anden person. Kontakt kontoret.`,
  full: () => 'Du har allerede så mange tilknyttede login, som du kan have. Fjern et først.',
} satisfies Record<string, (name: string) => string>

export type Problem = keyof typeof PROBLEMS

export function problemText(problem: string, name: string): string | null {
  return Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem as Problem](name) : null
}

/**
 * Whether a subject looks like a CPR number, alone or behind a word: '010190-1234', 'dk:cpr:0101901234'. It would be stored, so
 * it is refused.
 */
export function looksLikeCpr(subject: string): boolean {
  return /^\D*\d{6}[- ]?\d{4}\D*$/.test(subject)
}
