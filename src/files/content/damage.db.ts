import { sql } from 'kysely'
import { endNotice, raiseNotice } from '../../log/notices/notices.db.ts'
import type { Database } from '../../server/database/database.ts'
import { findFault } from '../../server/storage/read-blob.ts'
import { DamagedBytes, MissingBytes, type FileStorage } from '../../server/storage/storage.ts'
import type { Complain } from './reads.db.ts'

type BlobRow = { id: number; key: string; size: number; sha256: string }

/** After this time, a night's check starts no further blob. */
const MOST_MS = 15 * 60_000
/** How many damaged blobs are read again each night. */
const MOST_AGAIN = 100

/** Records that a stored blob is damaged, and tells the office. Ignores blobs that are being removed. */
export async function addDamage(db: Database, blobId: number, fault: string): Promise<void> {
  await sql`
    insert into damaged_blobs (blob_id, fault)
    select id, ${fault} from blobs where id = ${blobId} and state = 'stored'
    on conflict (blob_id) do update set fault = excluded.fault`.execute(db)
  await tellOfDamage(db)
}

/** Records in the background that the bytes of a blob could not be sent. Ignores other faults. */
export function noteDamage(db: Database, blob: number, fault: unknown, complain: Complain): void {
  if (!(fault instanceof MissingBytes || fault instanceof DamagedBytes)) return
  void addDamage(db, blob, fault.message).catch((err: Error) =>
    complain({ err, blob }, 'damage was not noted'),
  )
}

/** Replaces the record of damaged blobs after every stored blob has been read. */
export async function settleDamage(db: Database, damaged: ReadonlyMap<number, string>): Promise<void> {
  await sql`delete from damaged_blobs where blob_id <> all (${[...damaged.keys()]}::bigint[])`.execute(db)
  for (const [id, fault] of damaged) await addDamage(db, id, fault)
  await tellOfDamage(db)
}

/** Updates the notice on the start page. */
export async function tellOfDamage(db: Database): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from damaged_blobs join blobs on blobs.id = blob_id
    where state = 'stored'`.execute(db)
  const { count } = rows[0]!
  if (count > 0) await raiseNotice(db, 'damaged-files', { count })
  else await endNotice(db, 'damaged-files')
}

type Bounds = { mostBytes: number; mostMs?: number; signal?: AbortSignal }

/**
 * Checks the damaged blobs again, and then the stored blobs that have waited longest. Takes at least one of those,
 * however large it is, because otherwise the next one would never have its turn.
 */
export async function readByNight(
  { db, storage }: { db: Database; storage: FileStorage },
  { mostBytes, mostMs = MOST_MS, signal }: Bounds,
): Promise<{ read: number; bytes: number; damaged: number }> {
  const result = { read: 0, bytes: 0, damaged: 0 }
  if (mostBytes === 0) return result
  const until = Date.now() + mostMs
  const readAgain = new Set<number>()
  const walked = new Set<number>()
  const isOver = () => signal?.aborted === true || result.bytes >= mostBytes || Date.now() > until

  async function look(blob: BlobRow): Promise<void> {
    const fault = await findFault(storage, blob, signal)
    result.read++
    result.bytes += blob.size
    if (!fault) await db.deleteFrom('damaged_blobs').where('blob_id', '=', blob.id).execute()
    else {
      result.damaged++
      await addDamage(db, blob.id, fault)
    }
  }

  for (const blob of await listDamaged(db)) {
    if (isOver()) break
    readAgain.add(blob.id)
    await look(blob)
  }
  while (walked.size === 0 || !isOver()) {
    const next = await findNext(db)
    if (!next || walked.has(next.id)) break // every blob has been read
    walked.add(next.id)
    if (!readAgain.has(next.id)) await look(next)
    await sql`
      insert into byte_checks (last_id) values (${next.id})
      on conflict (is_only) do update set last_id = excluded.last_id`.execute(db)
  }
  await tellOfDamage(db)
  return result
}

async function listDamaged(db: Database): Promise<BlobRow[]> {
  const { rows } = await sql<BlobRow>`
    select id, key, size, sha256 from blobs join damaged_blobs on blob_id = id
    where state = 'stored' order by since, id limit ${MOST_AGAIN}`.execute(db)
  return rows
}

/** Returns the blob after the one that was read last; after the last blob, the first. */
async function findNext(db: Database): Promise<BlobRow | undefined> {
  const { rows } = await sql<BlobRow & { turn: number }>`
    with last as (select coalesce(max(last_id), 0) as id from byte_checks)
    (select blobs.id, key, size, sha256, 0 as turn from blobs, last
      where state = 'stored' and blobs.id > last.id order by blobs.id limit 1)
    union all
    (select id, key, size, sha256, 1 as turn from blobs where state = 'stored' order by id limit 1)
    order by turn limit 1`.execute(db)
  return rows[0]
}
