import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import {
  addPendingBlob,
  NotStored,
  receiveBlob,
  receiveSmallBlobs,
  removeBlob,
} from '../../server/storage/blobs.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import type { TemporaryFile } from './temporary-file.ts'

type Stores = { db: Database; storage: FileStorage }

/** How many bytes a person may have. */
export type Most = {
  /** Sent but not submitted. */
  waiting: number
  /** The same, plus the files in their own folder. */
  own: number
}

/** The file is more than its sender may have. */
export class NoRoom extends Error {
  of: keyof Most
  constructor(of: keyof Most) {
    super(`No room: ${of}.`)
    this.of = of
  }
}

const ANYTHING: Most = { waiting: Infinity, own: Infinity }

/** The bytes that arrived are not those that the sender read. */
export class DifferentBytes extends Error {}

/** The least that a file counts for: thousands of tiny files are not free. */
const LEAST_BYTES = 4096

/** Condition on the time when something was sent: it is kept for a day. */
export const isYoung = (column: string) =>
  sql<boolean>`${sql.ref(column)} > now() - make_interval(secs => ${LIFETIMES.temporaryFileMs / 1000})`

/** Returns how much room a file takes. */
export const roomFor = (size: number) => Math.max(size, LEAST_BYTES)

/** Stores a file for its sender, for a day. `sum` is the SHA-256 of the bytes that the sender read. */
export async function receiveTemporaryFile(
  { db, storage }: Stores,
  userId: number,
  name: string,
  bytes: Readable,
  limit: number,
  { most = ANYTHING, sum }: { most?: Most; sum?: string | undefined } = {},
): Promise<TemporaryFile> {
  const hashName = randomBytes(16).toString('hex')
  const { size, type } = await receiveBlob(db, storage, bytes, limit, async (trx, blob) => {
    if (sum !== undefined && sum !== blob.sha256) throw new DifferentBytes()
    await takeRoom(trx, userId, blob.size, most)
    await trx
      .insertInto('temporary_files')
      .values({ hash_name: hashName, user_id: userId, blob_id: blob.id, name })
      .execute()
  })
  return { name, size, type, hash_name: hashName }
}

type WholeFiles = { user: number; hash_names: string[]; blobs: number[]; names: string[] }

const addWholeFiles = prepare<WholeFiles, object>(
  ({ user, hash_names: hashNames, blobs, names }) => sql`
    insert into temporary_files (hash_name, user_id, blob_id, name)
    select hash_name, ${user}::bigint, blob_id, name
    from unnest(${hashNames}::text[], ${blobs}::bigint[], ${names}::text[]) as sent (hash_name, blob_id, name)`,
)

/** Does the same for several small files at once; stores all or none. */
export async function receiveSmallFiles(
  { db, storage }: Stores,
  userId: number,
  files: { name: string; bytes: Buffer; sum?: string | undefined }[],
  most: Most = ANYTHING,
): Promise<TemporaryFile[]> {
  const hashNames = files.map(() => randomBytes(16).toString('hex'))
  const contents = files.map(({ bytes }) => bytes)
  const blobs = await receiveSmallBlobs(db, storage, contents, async (trx, made) => {
    const different = made.findIndex(({ sha256 }, index) => (files[index]!.sum ?? sha256) !== sha256)
    if (different !== -1) throw new NotStored(different, new DifferentBytes())
    const room = made.reduce((sum, { size }) => sum + roomFor(size), 0)
    await takeRoom(trx, userId, room, most)
    await addWholeFiles(trx, {
      user: userId,
      hash_names: hashNames,
      blobs: made.map(({ id }) => id),
      names: files.map(({ name }) => name),
    })
  })
  return blobs.map(({ size, type }, index) => ({
    name: files[index]!.name,
    size,
    type,
    hash_name: hashNames[index]!,
  }))
}

/**
 * Makes temporary files of bytes that are stored already and stay with their owner; those that the person has already
 * live for another day. Returns their hash names by the blob's id.
 */
export async function lendBytes(
  trx: Trx,
  userId: number,
  files: readonly { blobId: number; name: string }[],
): Promise<Map<number, string>> {
  const blobs = files.map(({ blobId }) => blobId)
  const hashNames = files.map(() => randomBytes(16).toString('hex'))
  const { rows } = await sql<{ blob_id: number; hash_name: string }>`
    insert into temporary_files (hash_name, user_id, blob_id, name)
    select hash_name, ${userId}, blob_id, name
    from unnest(${hashNames}::text[], ${blobs}::bigint[], ${files.map(({ name }) => name)}::text[])
      as lent (hash_name, blob_id, name)
    on conflict (blob_id) do update set created_at = now() where temporary_files.user_id = ${userId}
    returning blob_id, hash_name`.execute(trx)
  return new Map(rows.map((row) => [row.blob_id, row.hash_name]))
}

/** Takes bytes back that were lent to others. Waits for a form that is being saved with them. */
export async function takeBack(trx: Trx, userId: number, blobIds: readonly number[]): Promise<void> {
  await sql`
    delete from temporary_files where blob_id = any (${[...blobIds]}::bigint[]) and user_id <> ${userId}`.execute(
    trx,
  )
}

/**
 * Reserves room for a file that will come in pieces or, with a type to sign for, straight to the store. Throws `NoRoom` if
 * the sender has too little.
 */
export async function announceTemporaryFile(
  db: Database,
  userId: number,
  {
    name,
    size,
    most = ANYTHING,
    signedType = null,
  }: { name: string; size: number; most?: Most; signedType?: string | null },
): Promise<{ hashName: string; key: string }> {
  const hashName = randomBytes(16).toString('hex')
  return db.transaction().execute(async (trx) => {
    await takeRoom(trx, userId, size, most)
    const blob = await addPendingBlob(trx, signedType)
    await trx
      .insertInto('temporary_files')
      .values({ hash_name: hashName, user_id: userId, blob_id: blob.id, name, announced: size })
      .execute()
    return { hashName, key: blob.key }
  })
}

/** Lets one call at a time take room for each person, or two would take the same. */
const lockSender = prepare<{ user: number }, object>(
  ({ user }) => sql`select from users where id = ${user}::bigint for no key update`,
)

/** Checks that there is room, and reserves it until the transaction ends. */
async function takeRoom(trx: Trx, userId: number, size: number, most: Most): Promise<void> {
  await lockSender(trx, { user: userId })
  const { left, of } = await findRoom(trx, userId, most)
  if (roomFor(size) > left) throw new NoRoom(of)
}

/** Returns how much a person may still send, and which of the two limits decides it. */
export async function findRoom(
  db: Database | Trx,
  userId: number,
  most: Most,
): Promise<{ left: number; of: keyof Most }> {
  const taken = (await countRoom(db, { user: userId }))[0]!.bytes
  const waiting = most.waiting - taken
  const own = most.own === Infinity ? Infinity : most.own - taken - (await countOwnBytes(db, userId))
  return own < waiting ? { left: own, of: 'own' } : { left: waiting, of: 'waiting' }
}

/**
 * Counts the files that a person has put into their own folder, including deleted ones, which take as much room, with the text
 * and the small picture that are kept of each.
 */
async function countOwnBytes(db: Database | Trx, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(greatest(size, ${LEAST_BYTES}::bigint)
      + coalesce((select coalesce(packed_bytes,
          (select sum(octet_length(packed)) from page_texts where text_id = texts.id))
        from texts where texts.sha256 = blobs.sha256), 0)
      + coalesce((select octet_length(webp) from thumbnails where thumbnails.blob_id = blobs.id), 0)), 0)::bigint as bytes
    from folders join files on files.folder_id = folders.id join blobs on blobs.id = files.blob_id
    where folders.user_id = ${userId} and files.uploaded_by = ${userId}`.execute(db)
  return rows[0]!.bytes
}

/** Counts the room that a person's temporary files take; one that is still arriving counts in full. */
const countRoom = prepare<{ user: number }, { bytes: number }>(
  ({ user }) => sql`
    select coalesce(sum(greatest(coalesce(announced, size), ${sql.lit(LEAST_BYTES)}::bigint)), 0)::bigint as bytes
    from temporary_files join blobs on blobs.id = temporary_files.blob_id
    where user_id = ${user}::bigint`,
)

/** Removes temporary files with their bytes, or sending and giving up would fill the disk. Returns how many. */
export async function removeTemporaryFiles(
  { db, storage }: Stores,
  userId: number,
  hashNames: string[],
): Promise<number> {
  const blobs = await giveUp(db, sql`user_id = ${userId} and hash_name = any (${hashNames})`)
  await Promise.allSettled(blobs.map((id) => removeBlob(db, storage, id))) // the purge removes those that fail
  return blobs.length
}

/** Deletes files that were not submitted within a day; the next `purgeBlobs` deletes their bytes. */
export async function purgeTemporaryFiles(db: Database): Promise<number> {
  return (
    await giveUp(db, sql`created_at < now() - make_interval(secs => ${LIFETIMES.temporaryFileMs / 1000})`)
  ).length
}

async function giveUp(db: Database, which: ReturnType<typeof sql>): Promise<number[]> {
  // A form that is being submitted has locked its files, and keeps them.
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
