import type { UserRow } from './user-row.ts'

/** How far a person has come with their invitation. */
export type Access =
  | { state: 'accepted' }
  | { state: 'invited'; at: string; isExpired: boolean }
  | { state: 'not-invited' }

/** A person, as the page about them shows them. */
export type UserDetails = UserRow & {
  access: Access
  /** Whether a mail to them could not be sent, and is being tried again or has been given up. */
  mailFault: 'trying' | 'final' | null
  /** When they last signed in, as far as the log reaches. */
  last_sign_in: string | null
  /** Whether they have a second factor. */
  has_factor: boolean
}

/** Describes the state of the invitation in Danish. Null if there is nothing to say. */
export function accessText(
  { access, mailFault }: Pick<UserDetails, 'access' | 'mailFault'>,
  dateOf: (at: string) => string,
): string | null {
  if (access.state === 'accepted') return mailFault ? MAIL_FAULTS[mailFault] : null
  if (access.state === 'not-invited') return 'Ikke inviteret endnu'
  if (mailFault) return INVITATION_FAULTS[mailFault]
  return access.isExpired
    ? `Invitationen fra ${dateOf(access.at)} er udløbet`
    : `Inviteret ${dateOf(access.at)}, har ikke logget ind endnu`
}

const MAIL_FAULTS = {
  final: 'En mail kunne ikke sendes',
  trying: 'En mail er ikke kommet af sted endnu',
}
const INVITATION_FAULTS = {
  final: 'Invitationen kunne ikke sendes',
  trying: 'Invitationen er ikke kommet af sted endnu. Ringbind prøver igen',
}
