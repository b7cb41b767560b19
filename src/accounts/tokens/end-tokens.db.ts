import { sql } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'

/** Ends a person's keys together with their sessions: whoever had got hold of one is out. */
export async function endTokens(trx: Trx, userId: number): Promise<void> {
  await sql`update tokens set revoked_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    trx,
  )
}

/** Ends everybody's keys. One that was revoked after a copy was made must not work again where the copy is restored. */
export async function endAllTokens(db: Database | Trx): Promise<void> {
  await sql`update tokens set revoked_at = now() where revoked_at is null`.execute(db)
}
