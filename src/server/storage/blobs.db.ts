import { LIFETIMES } from '../../base/lifetimes.ts'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { sql, type Generated } from 'kysely'
import type { Database, Trx } from '../database/database.ts'
import { unlessCopied } from './keep-bytes.db.ts'
import { HEAD, Measure, measureAtOnce, PieceCheck, typeOf, type Measured, type Piece } from './measure.ts'
import { LostBytes, newStorageKey, StoreAway, type Storage } from './storage.ts'

declare module '../database/database.ts' {
  interface Tables {
    blobs: {
      id: Generated<number>
      key: string
      state: Generated<'pending' | 'stored' | 'removing'>
      size: number | null
      sha256: string | null
      type: string | null
      created_at: Generated<Date>
    }
  }
}

export type Blob = { id: number; key: string; size: number; sha256: string; type: string }

/** More at once would only wait for the disk. */
const PURGED_AT_ONCE = 50

/** What points at a blob from the moment it is stored, so that no bytes are ever nobody's. */
type Owning = (trx: Trx, blob: Blob) => Promise<unknown>

/**
 * Stores a stream as a new blob, in the same breath with what owns it; when this answers, the bytes and both rows
 * survive a power cut.
 */
export async function receiveBlob(
  db: Database,
  storage: Storage,
  bytes: Readable,
  limit: number,
  own?: Owning,
): Promise<Blob> {
  bytes.on('error', () => undefined) // it may break before it is read; the pipeline tells
  const { id, key } = await addPendingBlob(db)
  try {
    const measure = new Measure(limit)
    const put = storage.put(key, measure).catch((error: Error) => {
      measure.destroy(error) // or the sender would wait for ever
      throw error
    })
    // Both to their end: a store that is still writing would leave bytes behind the row that is removed.
    const [sent, stored] = await Promise.allSettled([pipeline(bytes, measure), put])
    for (const each of [stored, sent]) if (each.status === 'rejected') throw each.reason
    return await settleBlob(db, id, key, await measure.result(), own)
  } catch (error) {
    await giveUp(db, storage, [id], error)
    throw error
  }
}

/** Which of several files could not be stored. */
export class NotStored extends Error {
  index: number
  constructor(index: number, cause: unknown) {
    super(`File ${index} could not be stored.`, { cause })
    this.index = index
  }
}

/** More at once would only wait for the disk. */
const STORED_AT_ONCE = 8

/** The same for several that are in memory: rows and commits cost as much for fifty as for one. */
export async function receiveSmallBlobs(
  db: Database,
  storage: Storage,
  files: Buffer[],
  own: (trx: Trx, blobs: Blob[]) => Promise<unknown>,
): Promise<Blob[]> {
  const keys = files.map(() => newStorageKey())
  const rows = await db
    .insertInto('blobs')
    .values(keys.map((key) => ({ key, size: null, sha256: null, type: null })))
    .returning(['id', 'key'])
    .execute()
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  const waiting = [...files.entries()]
  const blobs: Blob[] = []
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
    // All to their end, as for one.
    const ends = await Promise.allSettled(Array.from({ length: STORED_AT_ONCE }, storeSome))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    await db.transaction().execute(async (trx) => {
      const { rows: settled } = await sql`
        update blobs set size = of.size, sha256 = of.sha256, type = of.type, state = 'stored'
        from json_to_recordset(${JSON.stringify(blobs)}::json) as of (id bigint, size bigint, sha256 text, type text)
        where blobs.id = of.id and state = 'pending' returning blobs.id`.execute(trx)
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

/** So many that are all missing are no accident. */
const MISSED = 5

/** The keys of what was stored last. */
export async function listNewest(db: Database): Promise<string[]> {
  const newest = await db
    .selectFrom('blobs')
    .select('key')
    .where('state', '=', 'stored')
    .orderBy('id', 'desc')
    .limit(MISSED)
    .execute()
  return newest.map(({ key }) => key)
}

/**
 * Whether the newest of what is stored is not here at all: then this is not the store that the database tells of. A few that
 * are missing may be damage, unless there is nothing else either; so may many in what lies beside the built-in database.
 */
export async function isOtherStore(
  db: Database,
  storage: Storage,
  { databaseUrl, s3Bucket }: { databaseUrl: string | null; s3Bucket: string | null },
): Promise<boolean> {
  const newest = await listNewest(db)
  if (newest.length === 0) return false
  for (const key of newest) if ((await storage.length(key)) > 0) return false
  const isElsewhere = databaseUrl !== null || s3Bucket !== null
  return (isElsewhere && newest.length === MISSED) || storage.isEmpty()
}

/**
 * The first half of a resumable upload: a key to append to. With a type, it is one that others get a signature for: they send
 * its bytes to the store themselves, and it has no size before those are measured.
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
 * The last half: seals what was appended, and calls it stored when it is as large as was announced. All is read once, and
 * compared with its sender's sums, unless its SHA-256 is known: `LostBytes` when it is not what was sent. Of two instances that
 * do so at once, both have done it.
 */
export async function finishBlob(
  db: Database,
  storage: Storage,
  { id, key }: { id: number; key: string },
  size: number,
  { sha256, pieces = [] }: { sha256?: string | undefined; pieces?: Piece[] } = {},
): Promise<Blob> {
  await storage.seal(key)
  const measured = await (sha256 ? measureHead() : measureAll())
  if (measured.size !== size) throw new LostBytes(`Blob ${id} has ${measured.size} bytes instead of ${size}.`)
  try {
    return await settleBlob(db, id, key, measured)
  } catch (error) {
    const row = await db.selectFrom('blobs').selectAll().where('id', '=', id).executeTakeFirst()
    // By who was a moment quicker, and measured the same bytes.
    if (row?.state === 'stored') return row as Blob
    // It may have been given up just before it was whole, by one who found only pieces to remove.
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

  async function measureHead(): Promise<Measured> {
    const length = await storage.length(key)
    const head = await storage.read(key, { first: 0, last: Math.min(length, HEAD) - 1 })
    return { size: length, sha256: sha256!, type: await typeOf(head) }
  }
}

/** What came after it was given up; a copy that is being made may know it as stored, and then the purge does it. */
export async function removeLate(
  db: Database,
  storage: Storage,
  row: { state: string } | undefined,
  key: string,
): Promise<void> {
  if (!row) await storage.remove(key)
  else if (row.state === 'removing') await unlessCopied(db, () => storage.remove(key))
}

/** Removes what could not be stored; the purge finds what is left. A store that is away is not asked for more. */
async function giveUp(db: Database, storage: Storage, ids: number[], error: unknown): Promise<void> {
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
 * Removes the bytes, then the row; a crash in between leaves a row that the purge takes up. So does a copy that is being
 * made: until it is done, bytes stay. And so does what was signed for, as long as it can still come: the row is how it is
 * found then.
 */
export async function removeBlob(db: Database, storage: Storage, id: number): Promise<void> {
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
  storage: Storage,
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

/** Clears what crashes and broken uploads left behind; answers how many. */
export async function purgeBlobs(db: Database, storage: Storage): Promise<number> {
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
    if (left.length < PURGED_AT_ONCE && failed) throw failed.reason // the others are gone; it is tried again next time
    if (left.length < PURGED_AT_ONCE) return purged
  }
}

async function settleBlob(
  db: Database,
  id: number,
  key: string,
  measured: Measured,
  own?: Owning,
): Promise<Blob> {
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
