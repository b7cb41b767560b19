import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { SyslogServer } from '../../server/process/setting-kinds.ts'
import { sendLines, syslogLine, type SentEntry } from './syslog.server.ts'

/** How many entries go in one connection. */
const MOST = 1000

/**
 * Sends the entries that were not sent yet, in the order of the chain; the first time all of them. Sends an entry again
 * if it may not have arrived; its position shows that. Rejects if the receiver is down.
 */
export async function sendLog(db: Database, server: SyslogServer, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    const entries = await listUnsent(db)
    const last = entries.at(-1)
    if (!last || stopping?.aborted) return
    await sendLines(server, entries.map(syslogLine), stopping)
    await sql`
      insert into log_sent (position) values (${last.position})
      on conflict (is_only) do update set position = greatest(log_sent.position, excluded.position)`.execute(
      db,
    )
  }
}

async function listUnsent(db: Database): Promise<SentEntry[]> {
  const { rows } = await sql<SentEntry>`
    select log_chain.position, encode(log_chain.hash, 'hex') as hash, log.act, log.at,
      jsonb_strip_nulls(to_jsonb(log)) as entry
    from log_chain join log on log.id = log_chain.log_id
    where log_chain.position > coalesce((select position from log_sent), 0)
    order by log_chain.position limit ${MOST}`.execute(db)
  return rows
}
