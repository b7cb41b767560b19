import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../server/database/database.ts'

/** How many files are asked about at once: a statement has its time, and others need the database too. */
const ASKED_AT_ONCE = 20_000

/** Asks for the texts of files that have none yet, as after a restore or an upgrade. The newest get the highest numbers. */
export async function wantTexts(db: Database, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted;) {
    const { rows } = await sql<{ last: number | null; want_texts: unknown }>`
      with asked as materialized (
        select id, blob_id, name from files where id > ${after} order by id limit ${ASKED_AT_ONCE}
      ), missing as (
        select array_agg(asked.blob_id) as blob_ids, array_agg(asked.name::text) as names
        from asked join blobs on blobs.id = asked.blob_id
        where text_kind(blobs.type, asked.name) is not null
          and not exists (select from texts where texts.sha256 = blobs.sha256)
      )
      select (select max(id) from asked) as last, want_texts(blob_ids, names) from missing`.execute(db)
    if (rows[0]?.last == null) return
    after = rows[0].last
  }
}

/** Stored bytes with the same contents as a text: those of the first file that has them. */
export const ITS_BYTES = sql`lateral (
  select blobs.key, blobs.size from blobs
  where blobs.sha256 = texts.sha256 and blobs.state = 'stored' order by blobs.id limit 1
) as bytes`

/** The person who sent a text's first file; 0 if nobody is known to have. */
export const ITS_SENDER = sql`lateral (
  select coalesce((
    select files.uploaded_by from blobs join files on files.blob_id = blobs.id
    where blobs.sha256 = texts.sha256 order by files.id limit 1), 0) as id
) as sender`

/** Reading waits for uploads, but no longer than this: some offices always upload. */
const PATIENCE_MS = 30_000

/** Resolves when no upload has begun for some seconds, or after half a minute. */
export async function restWhileReceiving(db: Database, signal: AbortSignal): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!signal.aborted && performance.now() < until && (await isReceiving(db)))
    await sleep(1000, undefined, { signal, ref: false }).catch(() => undefined)
}

/** Small files are stored in a moment, large ones are pending for long. */
async function isReceiving(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_receiving: boolean }>`
    select exists (select from blobs where state = 'pending' and created_at > now() - interval '1 minute')
      or coalesce((select created_at > now() - interval '3 seconds' from blobs order by id desc limit 1), false)
      as is_receiving`.execute(db)
  return rows[0]!.is_receiving
}
