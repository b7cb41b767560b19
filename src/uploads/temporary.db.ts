import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql, type Generated } from 'kysely'
import { receiveBlob } from '../server/blobs.db.ts'
import type { Database } from '../server/database.ts'
import type { Storage } from '../server/storage.ts'
import { TEMPORARY_HOURS, type TemporaryFile } from './temporary-file.ts'

declare module '../server/database.ts' {
  interface Tables {
    temporary_files: {
      hash_name: string
      user_id: number
      blob_id: number
      name: string
      created_at: Generated<Date>
    }
  }
}

/** Stores what somebody sends; from then on it is theirs for a day. */
export async function receiveTemporaryFile(
  { db, storage }: { db: Database; storage: Storage },
  userId: number,
  name: string,
  bytes: Readable,
  limit: number,
): Promise<TemporaryFile> {
  const hashName = randomBytes(16).toString('hex')
  const { size, type } = await receiveBlob(db, storage, bytes, limit, (trx, blob) =>
    trx
      .insertInto('temporary_files')
      .values({ hash_name: hashName, user_id: userId, blob_id: blob.id, name })
      .execute(),
  )
  return { name, size, type, hash_name: hashName }
}

/** How much somebody has waiting, in bytes. */
export async function countTemporaryBytes(db: Database, userId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes
    from temporary_files join blobs on blobs.id = temporary_files.blob_id
    where user_id = ${userId}`.execute(db)
  return rows[0]!.bytes
}

/** Gives up what was sent; its bytes go with the next `purgeBlobs`. Answers how many. */
export async function removeTemporaryFiles(
  db: Database,
  userId: number,
  hashNames: string[],
): Promise<number> {
  return giveUp(db, sql`user_id = ${userId} and hash_name = any (${hashNames})`)
}

/** What nobody has put anywhere within a day goes. */
export async function purgeTemporaryFiles(db: Database): Promise<number> {
  return giveUp(db, sql`created_at < now() - make_interval(hours => ${TEMPORARY_HOURS})`)
}

async function giveUp(db: Database, which: ReturnType<typeof sql>): Promise<number> {
  // A form that is being sent has its files, and keeps them.
  const { rows } = await sql`
    with old as (
      select hash_name from temporary_files where ${which} for update skip locked
    ), gone as (
      delete from temporary_files using old where temporary_files.hash_name = old.hash_name
      returning temporary_files.blob_id
    )
    update blobs set state = 'removing' from gone where blobs.id = gone.blob_id returning blobs.id`.execute(
    db,
  )
  return rows.length
}
