import { sql } from 'kysely'
import type { Database } from '../server/database/database.ts'
import { addLogEntry, type Actor } from './log.db.ts'

export const WAIT_MINUTES = 10
/** In that time, from all addresses together: an attack from many must not drown everything else. */
const MOST_ENTRIES = 50

/** Once per address and ten minutes, however many processes answer. */
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
