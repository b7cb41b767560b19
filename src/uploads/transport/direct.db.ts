import { LIFETIMES } from '../../base/lifetimes.ts'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { finishBlob } from '../../server/storage/blobs.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Job, Jobs } from '../../server/jobs.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import { LostBytes, MissingBytes, type Storage } from '../../server/storage/storage.ts'
import { checkStores } from '../../server/storage/stores.db.ts'
import { removeTemporaryFiles } from './temporary.db.ts'

/** A file that its sender's browser sends to the store itself, or has sent. */
export type DirectFile = {
  userId: number
  hashName: string
  name: string
  /** Until it has been read, what its sender said. */
  size: number
  /** Null until it has been read: nobody's word is taken for it. */
  type: string | null
  blob: { id: number; key: string }
}

/** Reads what has come to the store, so that it is stored. Who sent it looks at a page that waits for it. */
const READ_DIRECT: Job<{ hashName: string }> = {
  name: 'read-direct',
  retryLimit: 30,
  retrySeconds: 5,
  mostSeconds: 3600,
}

/** A signature can be used again after that: what it then leaves beside the file goes when it no longer can. */
const CLEAR_DIRECT: Job<{ blobId: number; key: string }> = {
  name: 'clear-direct',
  retryLimit: 30,
  retrySeconds: 60,
}

type Stores = { db: Database; storage: Storage }

/** While it is younger than a day; `userId` when it must be theirs. */
export async function findDirectFile(
  db: Database,
  hashName: string,
  userId?: number,
): Promise<DirectFile | null> {
  const row = await db
    .selectFrom('temporary_files')
    .innerJoin('blobs', 'blobs.id', 'temporary_files.blob_id')
    .select(['user_id', 'name', 'announced', 'blobs.id', 'key', 'state', 'size', 'type'])
    .where('hash_name', '=', hashName)
    .where(
      'temporary_files.created_at',
      '>',
      sql<Date>`now() - make_interval(secs => ${LIFETIMES.temporaryFileMs / 1000})`,
    )
    // What comes in pieces has no type before it is whole.
    .where('type', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .executeTakeFirst()
  if (!row) return null
  const isStored = row.state === 'stored'
  return {
    userId: row.user_id,
    hashName,
    name: row.name,
    size: isStored ? row.size! : row.announced!,
    type: isStored ? row.type : null,
    blob: { id: row.id, key: row.key },
  }
}

/** Has it read, once, however often it is asked for. `size` is what has come. */
export async function readDirectFile(
  db: Database,
  jobs: Jobs,
  { hashName, blob: { id: blobId, key } }: DirectFile,
  size: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // It may have been announced as larger, by who could not say how large it is.
    await trx
      .updateTable('temporary_files')
      .set({ announced: size })
      .where('hash_name', '=', hashName)
      .execute()
    await jobs.enqueue(trx, READ_DIRECT, { hashName }, { id: idOf(hashName) })
    const afterSeconds = LIFETIMES.signedBlobMs / 1000
    await jobs.enqueue(trx, CLEAR_DIRECT, { blobId, key }, { id: idOf(key), afterSeconds })
  })
}

export async function workDirect(jobs: Jobs, parts: Stores & { config: Config }): Promise<void> {
  // Who was started before there was a bucket finds nothing: another has to do it.
  const check = () => checkStores(parts.db, parts.config)
  await jobs.work(READ_DIRECT, async ({ hashName }) => {
    await check()
    await finishDirectFile(parts, hashName)
  })
  await jobs.work(CLEAR_DIRECT, async ({ blobId, key }) => {
    await check()
    await clearDirectFile(parts, blobId, key)
  })
}

/**
 * Seals and measures what has come. Done again after a crash, or by two at once, it is the same. What is not what was said, and
 * will not be, is given up.
 */
export async function finishDirectFile({ db, storage }: Stores, hashName: string): Promise<void> {
  const find = async () => {
    const file = await findDirectFile(db, hashName)
    return file?.type === null ? file : null
  }
  const file = await find()
  if (!file) return
  try {
    if ((await storage.length(file.blob.key)) !== file.size) throw new WrongSize()
    await finishBlob(db, storage, file.blob, file.size)
  } catch (error) {
    if (!(await find())) return // it was given up meanwhile, or somebody else has done it
    const isLost = [WrongSize, TooLarge, MissingBytes, LostBytes].some((kind) => error instanceof kind)
    if (!isLost) throw error // a store that is away may be back
    await removeTemporaryFiles({ db, storage }, file.userId, [hashName])
  }
}

class WrongSize extends Error {}

/** Sealing takes away what came too late; of what is not known any more, all goes. What is being removed the purge has. */
export async function clearDirectFile({ db, storage }: Stores, blobId: number, key: string): Promise<void> {
  const blob = await db.selectFrom('blobs').select('state').where('id', '=', blobId).executeTakeFirst()
  if (!blob) await storage.remove(key)
  else if (blob.state === 'stored') await storage.seal(key)
}

/** 128 bits as a job's id is written. */
function idOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
