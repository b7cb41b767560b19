import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'

/** Why somebody goes to a provider. A link or a proof is begun in somebody's session; an invitation is for somebody. */
export type Purpose =
  | { purpose: 'sign-in'; next: string }
  | { purpose: 'link'; userId: number; sessionToken: string }
  | { purpose: 'proof'; userId: number; sessionToken: string; next: string }
  | { purpose: 'invitation'; userId: number }

export const ATTEMPT_MINUTES = 10

/** Returns the secret for the browser's cookie; only its hash is stored. */
export async function addAttempt(db: Database, provider: string, purpose: Purpose): Promise<string> {
  const secret = newSecret()
  await db
    .insertInto('provider_attempts')
    .values({
      hash: hashOfSecret(secret),
      provider,
      purpose: purpose.purpose,
      user_id: 'userId' in purpose ? purpose.userId : null,
      session_hash: 'sessionToken' in purpose ? hashOfSecret(purpose.sessionToken) : null,
      next: 'next' in purpose ? purpose.next : '',
    })
    .execute()
  return secret
}

export type Attempt =
  | { purpose: 'sign-in'; next: string }
  | { purpose: 'link'; userId: number; isOf: (sessionToken: string | undefined) => boolean }
  | { purpose: 'proof'; userId: number; isOf: (sessionToken: string | undefined) => boolean; next: string }
  | { purpose: 'invitation'; userId: number }

/** Uses up an attempt. Null if there is none: it is too old, was used before, or is another provider's. */
export async function takeAttempt(db: Database, provider: string, secret: string): Promise<Attempt | null> {
  const row = await db
    .deleteFrom('provider_attempts')
    .where('hash', '=', hashOfSecret(secret))
    .where('provider', '=', provider)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${sql.lit(ATTEMPT_MINUTES)})`)
    .returning(['purpose', 'user_id', 'session_hash', 'next'])
    .executeTakeFirst()
  if (!row) return null
  const { purpose, user_id: userId, session_hash: session, next } = row
  if (purpose === 'sign-in') return { purpose, next }
  if (purpose === 'invitation') return { purpose, userId: userId! }
  const isOf = (token: string | undefined) => token !== undefined && session!.equals(hashOfSecret(token))
  return purpose === 'link' ? { purpose, userId: userId!, isOf } : { purpose, userId: userId!, isOf, next }
}

export async function purgeAttempts(db: Database): Promise<void> {
  await db
    .deleteFrom('provider_attempts')
    .where('created_at', '<', sql<Date>`now() - make_interval(mins => ${sql.lit(ATTEMPT_MINUTES)})`)
    .execute()
}
