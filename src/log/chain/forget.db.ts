import { sql } from 'kysely'
import { transactional, type Trx } from '../../server/database/database.ts'

// Only these functions of the database change entries: the server's role may not. Both keep the chain valid. Nothing else of
// a person is forgotten: they are deactivated, never deleted (`accounts/change-user.db.ts`), for their entries stay.

/** Deletes people's former names after the same time as IP addresses: both are personal data. Their marks stay in the chain. */
export const forgetNames = transactional(async (trx: Trx, months: number): Promise<void> => {
  await sql`select forget_log_names(${months}::integer)`.execute(trx)
})

/** Deletes the IP addresses of entries older than this. Returns how many. */
export const forgetAddresses = transactional(async (trx: Trx, months: number): Promise<number> => {
  const { rows } = await sql<{ many: number }>`
    select forget_log_addresses(${months}::integer) as many`.execute(trx)
  return rows[0]!.many
})
