import { sql } from 'kysely'
import type { Actor } from '../../log/log.db.ts'
import { isAdministrator, rolesThat } from '../../rights.ts'
import type { Trx } from '../../server/database/database.ts'
import { forbidden } from '../../server/http/errors.ts'

/**
 * Lets one transaction at a time change people and their rights. Refuses an actor who lost the right while waiting.
 */
export async function lockPeople(trx: Trx, actor: Actor): Promise<void> {
  await waitForPeople(trx)
  if (actor.userId === null) return
  const { rows } = await sql`
    select from users
    where id = ${actor.userId} and role = any (${rolesThat(isAdministrator)}) and deactivated_at is null`.execute(
    trx,
  )
  if (rows.length === 0) throw forbidden()
}

/** Lets one transaction at a time change people, whoever the actor is. */
export async function waitForPeople(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`.execute(trx)
}
