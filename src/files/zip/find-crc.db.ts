import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { queue } from '../../jobs.ts'
import type { Database } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { readSums } from '../../server/storage/read-blob.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { checkStores } from '../../server/storage/stores.db.ts'
import { addDamage } from '../content/damage.db.ts'

type Stores = { db: Database; storage: FileStorage }
type BlobRow = { id: number; key: string; size: number; sha256: string }

/** After this time, a turn of the background work begins no further blob. */
const TURN_MS = 8 * 60_000
const READ_AT_ONCE = 4

/** Reads some blobs first, for a person who waits for an archive of them. */
const FIND_CRC = queue<{ blobs: number[] }>('find-crc')

/** Starts finding the CRC-32 of blobs that are asked for now. */
export async function findAskedCrcs(jobs: Jobs, stores: Stores & { config: Config }): Promise<void> {
  await jobs.work(FIND_CRC, async ({ blobs }) => {
    await checkStores(stores.db, stores.config) // bytes in a store that we do not know would seem missing
    for (const blob of await listWithoutCrc(
      stores.db,
      sql<boolean>`id = any (${blobs}::bigint[])`,
      blobs.length,
    ))
      await findCrc(stores, blob)
  })
}

export async function queueCrcs({ db, jobs }: { db: Database; jobs: Jobs }, blobs: number[]): Promise<void> {
  await db.transaction().execute((trx) => jobs.enqueue(trx, FIND_CRC, { blobs }))
}

/**
 * Finds the CRC-32 of blobs that were stored without it, one at a time. Rests as long as it has read, because others
 * need the disk too.
 */
export async function findOldCrcs(
  stores: Stores & { config: Config },
  { mostMs = TURN_MS, signal }: { mostMs?: number; signal?: AbortSignal } = {},
): Promise<number> {
  await checkStores(stores.db, stores.config)
  const until = Date.now() + mostMs
  let found = 0
  for (let after = 0; ;) {
    const some = await listWithoutCrc(stores.db, sql<boolean>`id > ${after}`, 100)
    if (some.length === 0) return found
    for (const blob of some) {
      if (signal?.aborted || Date.now() > until) return found
      const began = performance.now()
      if ((await findCrc(stores, blob, signal)) !== null) found++
      after = blob.id
      await sleep(performance.now() - began, undefined, { ref: false })
    }
  }
}

async function listWithoutCrc(
  db: Database,
  which: ReturnType<typeof sql<boolean>>,
  most: number,
): Promise<BlobRow[]> {
  const { rows } = await sql<BlobRow>`
    select id, key, size, sha256 from blobs
    where state = 'stored' and crc32 is null and ${which}
      and not exists (select from damaged_blobs where blob_id = blobs.id)
    order by id limit ${most}`.execute(db)
  return rows
}

/** Finds the CRC-32 of a few blobs at once. Those that cannot be read are missing from the answer. */
export async function findCrcs(stores: Stores, blobs: readonly BlobRow[]): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const waiting = [...blobs]
  const readSome = async () => {
    for (let blob = waiting.pop(); blob; blob = waiting.pop()) {
      const crc = await findCrc(stores, blob)
      if (crc !== null) found.set(blob.id, crc)
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readSome))
  return found
}

/** Reads a blob and stores its CRC-32, if the bytes are right. Otherwise records the damage and returns null. */
async function findCrc({ db, storage }: Stores, blob: BlobRow, signal?: AbortSignal): Promise<number | null> {
  const read = await readSums(storage, blob, signal)
  if ('fault' in read) {
    await addDamage(db, blob.id, read.fault)
    return null
  }
  await db.updateTable('blobs').set({ crc32: read.crc32 }).where('id', '=', blob.id).execute()
  return read.crc32
}
