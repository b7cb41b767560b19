import { sql } from 'kysely'
import type { Database } from '../server/database/database.ts'
import { addLogEntry, type Actor } from './log.db.ts'

export const WAIT_MINUTES = 10
/** At most this many entries in that time from all addresses together, so that an attack does not fill the log. */
const MOST_ENTRIES = 50

/** Adds one entry per address in ten minutes, across all processes. */
export async function addWaitEntry(db: Database, actor: Actor, detail: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('asked to wait', 0))`.execute(trx)
    const { rows } = await sql<{ all: number; same: number }>`
      select count(*) as all, count(*) filter (where address is not distinct from ${actor.address}::inet) as same
      from log where act = 'asked-to-wait' and at > now() - make_interval(mins => ${sql.lit(WAIT_MINUTES)})
        and at < now() + interval '1 minute'`.execute(trx)
    const { all, same } = rows[0]!
    if (same === 0 && all < MOST_ENTRIES) await addLogEntry(trx, actor, 'asked-to-wait', { detail })
  })
}
