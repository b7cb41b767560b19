import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql, type Generated } from 'kysely'
import { addPendingBlob, NotStored, receiveBlob, receiveSmallBlobs, removeBlob } from '../server/blobs.db.ts'
import type { Database, Trx } from '../server/database.ts'
import type { Storage } from '../server/storage.ts'
import { TEMPORARY_HOURS, type TemporaryFile } from './temporary-file.ts'

declare module '../server/database.ts' {
  interface Tables {
    temporary_files: {
      hash_name: string
      user_id: number
      blob_id: number
      name: string
      /** How large it is going to be; null when it came whole. */
      announced: Generated<number | null>
      /** How much of it is synced; of what comes in pieces, nothing else counts. */
      acknowledged: Generated<number>
      /** Which call writes to it, or was the last to. */
      writer: Generated<string | null>
      created_at: Generated<Date>
    }
  }
}

type Stores = { db: Database; storage: Storage }

/** More than somebody may have waiting. */
export class NoRoom extends Error {}

/** What came is not what its sender read. */
export class DifferentBytes extends Error {}

/** A file costs so much at the least: thousands of tiny ones are not for nothing. */
const LEAST_BYTES = 4096

/** What a file takes of the room. */
export const roomFor = (size: number) => Math.max(size, LEAST_BYTES)

/**
 * Stores what somebody sends; from then on it is theirs for a day. `most` is what they may have waiting, `sum` the SHA-256 of
 * what they read.
 */
export async function receiveTemporaryFile(
  { db, storage }: Stores,
  userId: number,
  name: string,
  bytes: Readable,
  limit: number,
  { most = Infinity, sum }: { most?: number; sum?: string | undefined } = {},
): Promise<TemporaryFile> {
  const hashName = randomBytes(16).toString('hex')
  const { size, type } = await receiveBlob(db, storage, bytes, limit, async (trx, blob) => {
    if (sum !== undefined && sum !== blob.sha256) throw new DifferentBytes()
    if (!(await hasRoom(trx, userId, blob.size, most))) throw new NoRoom()
    await trx
      .insertInto('temporary_files')
      .values({ hash_name: hashName, user_id: userId, blob_id: blob.id, name })
      .execute()
  })
  return { name, size, type, hash_name: hashName }
}

/** The same for several small ones at once; all of them or none. */
export async function receiveSmallFiles(
  { db, storage }: Stores,
  userId: number,
  files: { name: string; bytes: Buffer; sum?: string | undefined }[],
  most = Infinity,
): Promise<TemporaryFile[]> {
  const hashNames = files.map(() => randomBytes(16).toString('hex'))
  const contents = files.map(({ bytes }) => bytes)
  const blobs = await receiveSmallBlobs(db, storage, contents, async (trx, made) => {
    const different = made.findIndex(({ sha256 }, index) => (files[index]!.sum ?? sha256) !== sha256)
    if (different !== -1) throw new NotStored(different, new DifferentBytes())
    const room = made.reduce((sum, { size }) => sum + roomFor(size), 0)
    if (!(await hasRoom(trx, userId, room, most))) throw new NoRoom()
    await trx
      .insertInto('temporary_files')
      .values(
        made.map(({ id }, index) => ({
          hash_name: hashNames[index]!,
          user_id: userId,
          blob_id: id,
          name: files[index]!.name,
        })),
      )
      .execute()
  })
  return blobs.map(({ size, type }, index) => ({
    name: files[index]!.name,
    size,
    type,
    hash_name: hashNames[index]!,
  }))
}

/**
 * Keeps room for what somebody is going to send, in pieces or, with a type to sign for, straight to the store; null when they
 * have too little.
 */
export async function announceTemporaryFile(
  db: Database,
  userId: number,
  {
    name,
    size,
    most,
    signedType = null,
  }: { name: string; size: number; most: number; signedType?: string | null },
): Promise<{ hashName: string; key: string } | null> {
  const hashName = randomBytes(16).toString('hex')
  return db.transaction().execute(async (trx) => {
    if (!(await hasRoom(trx, userId, size, most))) return null
    const blob = await addPendingBlob(trx, signedType)
    await trx
      .insertInto('temporary_files')
      .values({ hash_name: hashName, user_id: userId, blob_id: blob.id, name, announced: size })
      .execute()
    return { hashName, key: blob.key }
  })
}

/** Until the transaction ends, nobody else takes it. */
async function hasRoom(trx: Trx, userId: number, size: number, most: number): Promise<boolean> {
  // One at a time for each person, or two would take the same room.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return (await countTemporaryBytes(trx, userId)) + roomFor(size) <= most
}

/** How much of their room somebody has taken, in bytes; what is still on its way counts in full. */
export async function countTemporaryBytes(db: Database | Trx, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(greatest(coalesce(announced, size), ${LEAST_BYTES}::bigint)), 0)::bigint as bytes
    from temporary_files join blobs on blobs.id = temporary_files.blob_id
    where user_id = ${userId}`.execute(db)
  return rows[0]!.bytes
}

/** Gives up what was sent, with its bytes, or sending and giving up would fill the disk. Answers how many. */
export async function removeTemporaryFiles(
  { db, storage }: Stores,
  userId: number,
  hashNames: string[],
): Promise<number> {
  const blobs = await giveUp(db, sql`user_id = ${userId} and hash_name = any (${hashNames})`)
  await Promise.allSettled(blobs.map((id) => removeBlob(db, storage, id))) // otherwise the purge finds them
  return blobs.length
}

/** What nobody has put anywhere within a day goes; its bytes go with the next `purgeBlobs`. */
export async function purgeTemporaryFiles(db: Database): Promise<number> {
  return (await giveUp(db, sql`created_at < now() - make_interval(hours => ${TEMPORARY_HOURS})`)).length
}

async function giveUp(db: Database, which: ReturnType<typeof sql>): Promise<number[]> {
  // A form that is being sent has its files, and keeps them.
  const { rows } = await sql<{ id: number }>`
    with old as (
      select hash_name from temporary_files where ${which} for update skip locked
    ), gone as (
      delete from temporary_files using old where temporary_files.hash_name = old.hash_name
      returning temporary_files.blob_id
    )
    update blobs set state = 'removing' from gone where blobs.id = gone.blob_id returning blobs.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
