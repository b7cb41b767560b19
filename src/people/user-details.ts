import type { UserRow } from './user-row.ts'

/** How far somebody has come on the way in. */
export type Access =
  | { state: 'accepted' }
  | { state: 'invited'; at: string; isExpired: boolean }
  | { state: 'not-invited' }

/** A person on their own page. */
export type UserDetails = UserRow & { access: Access }

/** What is said of the way in; null where there is nothing to say. */
export function accessText(access: Access, dateOf: (at: string) => string): string | null {
  if (access.state === 'accepted') return null
  if (access.state === 'not-invited') return 'Ikke inviteret endnu'
  return access.isExpired
    ? `Invitationen fra ${dateOf(access.at)} er udløbet`
    : `Inviteret ${dateOf(access.at)}, har ikke logget ind endnu`
}
