import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { hashOfSecret } from '../../server/http/secret.ts'
import type { StoredPasskey } from './passkey.server.ts'

/** The passkeys that a person has, for the browser to choose from. */
export async function listPasskeys(
  db: Database,
  userId: number,
): Promise<{ credential: Buffer; transports: string[] }[]> {
  return db
    .selectFrom('passkeys')
    .select(['credential', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** A passkey with its person, active or not. */
export type OwnedPasskey = StoredPasskey & { id: number; userId: number }

export async function findPasskey(db: Database, credential: string): Promise<OwnedPasskey | null> {
  const row = await db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential', 'public_key', 'counter', 'transports'])
    .where('credential', '=', Buffer.from(credential, 'base64url'))
    .executeTakeFirst()
  if (!row) return null
  const { user_id: userId, public_key: publicKey, ...more } = row
  return { ...more, userId, publicKey }
}

/**
 * Records that a passkey answered a challenge. Returns false if the challenge was answered before, or if the passkey
 * was removed or used elsewhere since it was read.
 */
export async function usePasskey(
  trx: Trx,
  passkey: OwnedPasskey,
  challenge: string,
  counter: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: isNew } = await trx
    .insertInto('answered_challenges')
    .values({ hash: hashOfSecret(challenge) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (isNew !== 1n) return false
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter, used_at: sql<Date>`now()` })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The same in a transaction of its own. */
export const usePasskeyAlone = transactional(usePasskey)

/** Removes expired challenges. */
export async function purgeChallenges(db: Database): Promise<void> {
  await db
    .deleteFrom('answered_challenges')
    .where('at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}
