import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import type { Config } from '../../config.ts'
import { queue } from '../../jobs.ts'
import { finishBlob } from '../../server/storage/blobs.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import { LostBytes, MissingBytes, type FileStorage } from '../../server/storage/storage.ts'
import { checkStores } from '../../server/storage/stores.db.ts'
import { isYoung, removeTemporaryFiles } from './temporary.db.ts'

/** A file that its sender's browser sends straight to the store, or has sent. */
export type DirectFile = {
  userId: number
  hashName: string
  name: string
  /** The sender's word until the server has read the file. */
  size: number
  /** Null until the server has read the file: the sender's word is not trusted. */
  type: string | null
  blob: { id: number; key: string }
}

/** Reads a file that has arrived in the store, and marks it as stored. Its sender's page waits for this. */
const READ_DIRECT = queue<{ hashName: string }>('read-direct')

/** Removes bytes that a second use of the signature left beside the file. Runs when it can no longer be used. */
const CLEAR_DIRECT = queue<{ blobId: number; key: string }>('clear-direct')

type Stores = { db: Database; storage: FileStorage }

/** Finds a file younger than a day; only `userId`'s own if that is given. */
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
    .where(isYoung('temporary_files.created_at'))
    // A file that comes in pieces has no type until it is whole.
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

/** Enqueues the reading of a file, once, however often it is called. `size` is how much has arrived. */
export async function readDirectFile(
  db: Database,
  jobs: Jobs,
  { hashName, blob: { id: blobId, key } }: DirectFile,
  size: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A sender who did not give a size has announced the largest.
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

// A process started before the bucket was configured finds nothing: `checkStores` leaves the job to another.

/** Starts finishing files that have arrived in the store. */
export async function finishDirectFiles(jobs: Jobs, parts: Stores & { config: Config }): Promise<void> {
  await jobs.work(READ_DIRECT, async ({ hashName }) => {
    await checkStores(parts.db, parts.config)
    await finishDirectFile(parts, hashName)
  })
}

/** Starts removing their leftovers. */
export async function clearDirectFiles(jobs: Jobs, parts: Stores & { config: Config }): Promise<void> {
  await jobs.work(CLEAR_DIRECT, async ({ blobId, key }) => {
    await checkStores(parts.db, parts.config)
    await clearDirectFile(parts, blobId, key)
  })
}

/**
 * Seals and measures a file that has arrived. It may run again after a crash, or twice at once. Gives up a file that is
 * not as announced and never will be.
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
    if (!(await find())) return // it was given up meanwhile, or another process has finished it
    const isLost = [WrongSize, TooLarge, MissingBytes, LostBytes].some((kind) => error instanceof kind)
    if (!isLost) throw error // a store that is down may be back
    await removeTemporaryFiles({ db, storage }, file.userId, [hashName])
  }
}

class WrongSize extends Error {}

/** Removes late bytes: beside a stored blob by sealing it, all of them if there is no blob. The purge has the rest. */
export async function clearDirectFile({ db, storage }: Stores, blobId: number, key: string): Promise<void> {
  const blob = await db.selectFrom('blobs').select('state').where('id', '=', blobId).executeTakeFirst()
  if (!blob) await storage.remove(key)
  else if (blob.state === 'stored') await storage.seal(key)
}

/** Formats 128 bits in hex as a job's id. */
function idOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
