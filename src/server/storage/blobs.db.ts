import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database, Trx } from '../database/database.ts'
import { prepare } from '../database/prepared.ts'
import { unlessCopied } from './keep-bytes.db.ts'
import {
  HEAD,
  Measure,
  measureAtOnce,
  PieceCheck,
  typeOf,
  type ByteSums,
  type Measured,
  type Piece,
} from './measure.ts'
import { LostBytes, newStorageKey, StoreAway, type FileStorage } from './storage.ts'

export type StoredBlob = { id: number; key: string; size: number; sha256: string; type: string }

/** More at once would only wait for the disk. */
const PURGED_AT_ONCE = 50

/**
 * Writes the row that owns the blob, in the transaction that marks it stored, so that no bytes are without an owner.
 */
type Owning = (trx: Trx, blob: StoredBlob) => Promise<unknown>

/**
 * Stores a stream as a new blob and its owner in one transaction. When it returns, the bytes and both rows survive a
 * power cut.
 */
export async function receiveBlob(
  db: Database,
  storage: FileStorage,
  bytes: Readable,
  limit: number,
  own?: Owning,
): Promise<StoredBlob> {
  bytes.on('error', () => undefined) // may break before it is read; the pipeline reports that
  const { id, key } = await addPendingBlob(db)
  try {
    const measure = new Measure(limit)
    const put = storage.put(key, measure).catch((error: Error) => {
      measure.destroy(error) // otherwise the sender would wait forever
      throw error
    })
    // Waits for both: a store that is still writing would leave bytes whose row is already removed.
    const [sent, stored] = await Promise.allSettled([pipeline(bytes, measure), put])
    for (const each of [stored, sent]) if (each.status === 'rejected') throw each.reason
    return await settleBlob(db, id, key, await measure.result(), own)
  } catch (error) {
    await giveUp(db, storage, [id], error)
    throw error
  }
}

/** Says which of several files could not be stored. */
export class NotStored extends Error {
  index: number
  constructor(index: number, cause: unknown) {
    super(`File ${index} could not be stored.`, { cause })
    this.index = index
  }
}

/** More at once would only wait for the disk. */
const STORED_AT_ONCE = 8

const addPendingBlobs = prepare<{ keys: string[] }, { id: number; key: string }>(
  ({ keys }) => sql`insert into blobs (key) select unnest(${keys}::text[]) returning id, key`,
)

const settleBlobs = prepare<{ blobs: string }, { id: number }>(
  ({ blobs }) => sql`
    update blobs set size = of.size, sha256 = of.sha256, crc32 = of.crc32, type = of.type, state = 'stored'
    from json_to_recordset(${blobs}::json) as of (id bigint, size bigint, sha256 text, crc32 bigint, type text)
    where blobs.id = of.id and state = 'pending' returning blobs.id`,
)

/** Stores several files that are in memory: rows and commits cost as much for fifty as for one. */
export async function receiveSmallBlobs(
  db: Database,
  storage: FileStorage,
  files: Buffer[],
  own: (trx: Trx, blobs: StoredBlob[]) => Promise<unknown>,
): Promise<StoredBlob[]> {
  const keys = files.map(() => newStorageKey())
  const rows = await addPendingBlobs(db, { keys })
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  const waiting = [...files.entries()]
  const blobs: StoredBlob[] = []
  const storeSome = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, bytes] = next
      const key = keys[index]!
      try {
        await storage.put(key, [bytes])
        blobs[index] = { id: ids.get(key)!, key, ...(await measureAtOnce(bytes)) }
      } catch (error) {
        waiting.length = 0
        throw new NotStored(index, error)
      }
    }
  }
  try {
    // Waits for all, as `receiveBlob` does.
    const ends = await Promise.allSettled(Array.from({ length: STORED_AT_ONCE }, storeSome))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    await db.transaction().execute(async (trx) => {
      const settled = await settleBlobs(trx, { blobs: JSON.stringify(blobs) })
      if (settled.length !== blobs.length) throw new Error('A blob was removed while it was being received.')
      await own(trx, blobs)
    })
    return blobs
  } catch (error) {
    await giveUp(
      db,
      storage,
      rows.map(({ id }) => id),
      error,
    )
    throw error
  }
}

/**
 * Begins a resumable upload: adds a key to append to. With a type, the key is for a signed upload: the browser sends
 * the bytes straight to the store, and the blob has no size until they are measured.
 */
export async function addPendingBlob(
  db: Database | Trx,
  signedType: string | null = null,
): Promise<{ id: number; key: string }> {
  return db
    .insertInto('blobs')
    .values({ key: newStorageKey(), size: null, sha256: null, type: signedType })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()
}

/**
 * Ends a resumable upload: seals the bytes and marks the blob stored if it has the announced size. Reads all bytes
 * once and compares them with the sender's checksums, unless the sums are known; throws `LostBytes` if they differ.
 * If two instances do this at once, both succeed.
 */
export async function finishBlob(
  db: Database,
  storage: FileStorage,
  { id, key }: { id: number; key: string },
  size: number,
  { sums, pieces = [] }: { sums?: ByteSums | undefined; pieces?: Piece[] } = {},
): Promise<StoredBlob> {
  await storage.seal(key)
  const measured = await (sums ? measureHead(sums) : measureAll())
  if (measured.size !== size) throw new LostBytes(`Blob ${id} has ${measured.size} bytes instead of ${size}.`)
  try {
    return await settleBlob(db, id, key, measured)
  } catch (error) {
    const row = await db.selectFrom('blobs').selectAll().where('id', '=', id).executeTakeFirst()
    // Another instance was faster and measured the same bytes.
    if (row?.state === 'stored') return row as StoredBlob
    // Another process may have removed the blob just before it was complete, when it found only pieces.
    await removeLate(db, storage, row, key)
    throw error
  }

  async function measureAll(): Promise<Measured> {
    const measure = new Measure(size)
    const check = new PieceCheck(pieces)
    measure.on('data', (chunk: Buffer) => check.update(chunk))
    await pipeline(await storage.open(key), measure)
    if (!check.isRight) throw new LostBytes(`The bytes of blob ${id} are not those that were sent.`)
    return measure.result()
  }

  async function measureHead(known: ByteSums): Promise<Measured> {
    const length = await storage.length(key)
    const head = await storage.read(key, { first: 0, last: Math.min(length, HEAD) - 1 })
    return { size: length, ...known, type: await typeOf(head) }
  }
}

/**
 * Removes bytes that arrived after the blob was removed. During a backup, which may still list the blob as stored, it
 * leaves them to the purge.
 */
export async function removeLate(
  db: Database,
  storage: FileStorage,
  row: { state: string } | undefined,
  key: string,
): Promise<void> {
  if (!row) await storage.remove(key)
  else if (row.state === 'removing') await unlessCopied(db, () => storage.remove(key))
}

/** Removes blobs that could not be stored; the purge removes the rest. It does not ask a store that is away again. */
async function giveUp(db: Database, storage: FileStorage, ids: number[], error: unknown): Promise<void> {
  const isAway = error instanceof StoreAway || (error as Error).cause instanceof StoreAway
  if (isAway)
    await db
      .updateTable('blobs')
      .set({ state: 'removing' })
      .where('id', 'in', ids)
      .execute()
      .catch(() => undefined)
  else await Promise.allSettled(ids.map((id) => removeBlob(db, storage, id)))
}

/**
 * Removes the bytes, then the row. The row stays for the purge after a crash in between, during a backup (bytes stay
 * until it is done), and while signed bytes can still arrive: the row is how the purge finds them.
 */
export async function removeBlob(db: Database, storage: FileStorage, id: number): Promise<void> {
  const blob = await db
    .updateTable('blobs')
    .set({ state: 'removing' })
    .where('id', '=', id)
    .returning(['id', 'key'])
    .executeTakeFirst()
  if (blob) await unlessCopied(db, (holder) => removeBytes(holder, storage, blob))
}

async function removeBytes(
  db: Database,
  storage: FileStorage,
  { id, key }: { id: number; key: string },
): Promise<void> {
  await storage.remove(key)
  const mayCome = sql`size is null and type is not null
    and created_at > now() - make_interval(secs => ${LIFETIMES.signedBlobMs / 1000})`
  await db
    .deleteFrom('blobs')
    .where('id', '=', id)
    .where(sql<boolean>`not (${mayCome})`)
    .execute()
}

/** Removes blobs that crashes and broken uploads left behind, and returns how many. */
export async function purgeBlobs(db: Database, storage: FileStorage): Promise<number> {
  await db
    .updateTable('blobs')
    .set({ state: 'removing' })
    .where('state', '=', 'pending')
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${LIFETIMES.pendingBlobMs / 1000})`)
    .execute()
  let failed: PromiseRejectedResult | undefined
  for (let purged = 0, after = 0; ;) {
    const left = await db
      .selectFrom('blobs')
      .select(['id', 'key'])
      .where('state', '=', 'removing')
      .where('id', '>', after)
      .orderBy('id')
      .limit(PURGED_AT_ONCE)
      .execute()
    const removed = await unlessCopied(db, async (holder) => {
      const outcomes = await Promise.allSettled(left.map((blob) => removeBytes(holder, storage, blob)))
      failed ??= outcomes.find((outcome) => outcome.status === 'rejected')
    })
    if (!removed) return purged
    purged += left.length
    after = left.at(-1)?.id ?? after
    // the others are removed; the next purge tries this one again
    if (left.length < PURGED_AT_ONCE && failed) throw failed.reason
    if (left.length < PURGED_AT_ONCE) return purged
  }
}

async function settleBlob(
  db: Database,
  id: number,
  key: string,
  measured: Measured,
  own?: Owning,
): Promise<StoredBlob> {
  const blob = { id, key, ...measured }
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('blobs')
      .set({ ...measured, state: 'stored' })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Error(`Blob ${id} was removed while it was being received.`)
    await own?.(trx, blob)
  })
  return blob
}
