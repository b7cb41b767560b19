import type { UserRow } from './user-row.ts'

/** How far somebody has come on the way in. */
export type Access =
  | { state: 'accepted' }
  | { state: 'invited'; at: string; isExpired: boolean }
  | { state: 'not-invited' }

/** A person on their own page. */
export type UserDetails = UserRow & {
  access: Access
  /** A mail to them has not left: it is being tried again, or nobody does; null: none is known of. */
  mailFault: 'trying' | 'final' | null
}

/** What is said of the way in; null where there is nothing to say. */
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
  final: 'En mail til brugeren kunne ikke sendes',
  trying: 'En mail til brugeren er ikke kommet af sted endnu',
}
const INVITATION_FAULTS = {
  final: 'Invitationen kunne ikke sendes',
  trying: 'Invitationen er ikke kommet af sted endnu. Ringbind prøver igen',
}
