import { sql, type RawBuilder } from 'kysely'
import { addLogEntries, type Actor } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { hashOfSecret } from '../../server/http/secret.ts'

/** An event that ends credentials, of one person or of all. */
export type Ending =
  /** A new password, chosen through a link. Ends the access of anybody who had got in. */
  | 'password-reset'
  /** A new password, chosen under *Min profil*. */
  | 'password-changed'
  /** Links may lie in the old mailbox. */
  | 'email-changed'
  /** The credentials were made for what the person could see before. */
  | 'role-changed'
  /** An administrator removes a lost second factor. */
  | 'factors-reset'
  | 'deactivated'
  /** The person is invited again; until then nothing works. */
  | 'reactivated'
  | 'restored'

type Ended = { lender_id: number; adviser_id: number }

/**
 * Everything with which somebody acts or sees as a person, or through them: the columns that name the person, which
 * events end it, and how. SECURITY.md says why. A test compares the columns with the database, so that a new kind is
 * not forgotten.
 */
export const CREDENTIALS = {
  sessions: {
    people: ['user_id'],
    endedBy: [
      'password-reset',
      'password-changed',
      'factors-reset',
      'deactivated',
      'reactivated',
      'restored',
    ],
    end: (is, present) => sql<Ended>`delete from sessions where ${is} and hash <> ${hashOfSecret(present)}`,
  },
  tokens: {
    people: ['user_id'],
    endedBy: ['password-reset', 'role-changed', 'factors-reset', 'deactivated', 'reactivated', 'restored'],
    end: (is) => sql<Ended>`update tokens set revoked_at = now() where ${is} and revoked_at is null`,
  },
  calendar_feeds: {
    people: ['user_id'],
    endedBy: ['password-reset', 'role-changed', 'factors-reset', 'deactivated', 'reactivated', 'restored'],
    end: (is) => sql<Ended>`delete from calendar_feeds where ${is}`,
  },
  // Also where somebody accepts an invitation with a provider's login (`oidc/identities.db.ts`), and where a sheet changes many
  // e-mails at once (`moving/sheet/apply-people.db.ts`). How long each kind lasts: `links/link-tokens.db.ts`.
  link_tokens: {
    people: ['user_id'],
    endedBy: ['password-reset', 'password-changed', 'email-changed', 'deactivated', 'reactivated'],
    end: (is) => sql<Ended>`delete from link_tokens where ${is}`,
  },
  provider_attempts: {
    people: ['user_id'],
    endedBy: ['deactivated', 'reactivated'],
    end: (is) => sql<Ended>`delete from provider_attempts where ${is}`,
  },
  views: {
    people: ['viewer_id', 'user_id'],
    endedBy: ['role-changed', 'deactivated', 'reactivated'],
    end: (is) => sql<Ended>`delete from views where ${is}`,
  },
  lendings: {
    people: ['lender_id', 'adviser_id'],
    endedBy: ['role-changed', 'deactivated', 'reactivated'],
    end: (is) => sql<Ended>`
      update lendings set ended_at = now() where ended_at is null and ${is} returning lender_id, adviser_id`,
  },
  identities: {
    people: ['user_id'],
    endedBy: ['reactivated'],
    end: (is) => sql<Ended>`delete from identities where ${is}`,
  },
  // A passkey signs in by itself, as a password does.
  passkeys: {
    people: ['user_id'],
    endedBy: ['reactivated'],
    end: (is) => sql<Ended>`delete from passkeys where ${is}`,
  },
  code_apps: {
    people: ['user_id'],
    endedBy: ['reactivated'],
    end: (is) => sql<Ended>`delete from code_apps where ${is}`,
  },
  recovery_codes: {
    people: ['user_id'],
    endedBy: ['reactivated'],
    end: (is) => sql<Ended>`delete from recovery_codes where ${is}`,
  },
  users: {
    people: ['id'],
    endedBy: ['reactivated'],
    end: (is) => sql<Ended>`update users set password_hash = null where ${is}`,
  },
} as const satisfies Record<string, Credential>

type Credential = {
  people: readonly string[]
  endedBy: readonly Ending[]
  /** Returns a statement. Its rows are the lendings that it ends. */
  end: (is: RawBuilder<boolean>, present: string) => RawBuilder<Ended>
}

/**
 * Ends the credentials of a person that an event ends. Every way of shutting somebody out calls it. `present` is the
 * session in which a person does this themselves; it is kept.
 */
export async function endCredentials(
  trx: Trx,
  actor: Actor,
  ending: Ending,
  { userId, present = '' }: { userId: number; present?: string },
): Promise<void> {
  for (const { people, end } of endedBy(ending)) {
    const each = people.map((column) => sql`${sql.ref(column)} = ${userId}`)
    const { rows } = await end(sql<boolean>`(${sql.join(each, sql` or `)})`, present).execute(trx)
    const lent = rows.map(({ adviser_id: adviser, lender_id: lender }) => ({
      userId: adviser,
      forUserId: lender,
    }))
    await addLogEntries(trx, actor, 'access-taken-back', lent)
  }
}

/** Ends credentials after a restore, because some may have been ended after the copy was made. */
export async function endRestoredCredentials(db: Database): Promise<void> {
  for (const { end } of endedBy('restored')) await end(sql<boolean>`true`, '').execute(db)
}

function endedBy(ending: Ending): Credential[] {
  const all: Credential[] = Object.values(CREDENTIALS)
  return all.filter(({ endedBy: endings }) => endings.includes(ending))
}
