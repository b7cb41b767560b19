import { sql } from 'kysely'
import { needsApproval } from '../../office/office.db.ts'
import type { Trx } from '../../server/database/database.ts'

/** Lets one act that may show more happen at a time: two at once could each show nothing, and both together something. */
export async function waitForGate(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('gate', 0))`.execute(trx)
}

/**
 * Takes the lock where a colleague has to approve; otherwise nobody waits. Called before any other lock, so that no
 * deadlock can come.
 */
export async function enterGate(trx: Trx): Promise<void> {
  if (await needsApproval(trx)) await waitForGate(trx)
}
