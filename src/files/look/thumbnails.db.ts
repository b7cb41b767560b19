import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isFileSeen, isOwnedBy } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { ProgramFailed } from '../../server/process/limited-process.ts'
import { isRoomLeft } from '../../server/storage/disk-room.ts'
import { MissingBytes, type FileStorage } from '../../server/storage/storage.ts'
import type { Complain } from '../content/reads.db.ts'
import {
  findPageDrawer,
  makeThumbnail,
  MOST_SOURCE_BYTES,
  PDF_TYPE,
  PICTURE_TYPES,
} from '../../server/storage/thumbnail.ts'

/** How often a thumbnail is tried. A killed try counts. */
const MOST_TRIES = 2
/** After this long its maker must be gone: making one takes less than a minute. */
const GONE_SECONDS = 120

type Place = { db: Database; storage: FileStorage }

/**
 * Makes the wanted thumbnails, one at a time and the newest first. Returns how many it made. The next call continues
 * with the rest.
 */
export async function makeThumbnails(
  place: Place,
  { signal, complain }: { signal: AbortSignal; complain: Complain },
): Promise<number> {
  const pageDrawer = await findPageDrawer()
  for (let made = 0; ;) {
    if (signal.aborted) return made
    const hasRoom = await isRoomLeft(place.storage)
    const next = hasRoom && (await claimNext(place.db, pageDrawer !== null))
    if (!next) return made
    try {
      if (await makeOne(place, next, next.is_pdf ? pageDrawer : null, signal)) made++
    } catch (err) {
      await giveBack(place.db, next.blob_id).catch(() => undefined)
      if (signal.aborted) return made
      complain({ err, blob: next.blob_id }, 'a thumbnail could not be made now')
      return made
    }
  }
}

/** How many files are checked at once, because a statement has a time limit. */
const ASKED_AT_ONCE = 20_000

/** Requests thumbnails of files that have none yet, as after a restore. */
export async function wantThumbnails(
  db: Database,
  signal: AbortSignal,
  atOnce = ASKED_AT_ONCE,
): Promise<void> {
  for (let after = 0; !signal.aborted;) {
    const { rows } = await sql<{ last: number | null }>`
      with asked as materialized (
        select id, blob_id from files where id > ${after} order by id limit ${atOnce}
      ), added as (
        insert into thumbnails (blob_id, is_pdf)
        select blobs.id, blobs.type = ${PDF_TYPE} from asked join blobs on blobs.id = asked.blob_id
        where blobs.type = any (${[PDF_TYPE, ...PICTURE_TYPES]}) and blobs.size <= ${MOST_SOURCE_BYTES}
          and not exists (select from thumbnails where thumbnails.blob_id = blobs.id)
        on conflict do nothing
      )
      select max(id) as last from asked`.execute(db)
    if (rows[0]?.last == null) return
    after = rows[0].last
  }
}

type Claimed = { blob_id: number; is_pdf: boolean; key: string; tries: number }

/**
 * Claims the next one for this process: pictures first, as they are quicker. Leaves PDFs if this server cannot draw
 * them.
 */
async function claimNext(db: Database, canDrawPages: boolean): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update thumbnails set tries = thumbnails.tries + 1, tried_at = now()
    from (
      select blob_id from thumbnails
      where state = 'wanted' and tries < ${sql.lit(MOST_TRIES)} ${canDrawPages ? sql`` : sql`and not is_pdf`}
        and (tried_at is null or tried_at < now() - make_interval(secs => ${GONE_SECONDS}))
      order by is_pdf, tries, blob_id desc limit 1 for update skip locked
    ) as next join blobs on blobs.id = next.blob_id
    where thumbnails.blob_id = next.blob_id
    returning thumbnails.blob_id, is_pdf, blobs.key, thumbnails.tries`.execute(db)
  return rows[0]
}

/** Throws if the storage is down, which says nothing about the file. */
async function makeOne(
  { db, storage }: Place,
  { blob_id: blobId, key, tries }: Claimed,
  pageDrawer: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const webp = await makeThumbnail(await storage.open(key), pageDrawer, { signal })
    // The row goes with its blob. If that is gone by now, nothing is written.
    await sql`
      update thumbnails set state = 'made', webp = ${webp} where blob_id = ${blobId}`.execute(db)
    return true
  } catch (error) {
    if (!(error instanceof ProgramFailed || error instanceof MissingBytes)) throw error
    await sql`
      update thumbnails set state = ${tries < MOST_TRIES ? 'wanted' : 'failed'}, tried_at = null
      where blob_id = ${blobId}`.execute(db)
    return false
  }
}

async function giveBack(db: Database, blobId: number): Promise<void> {
  await sql`
    update thumbnails set tries = tries - 1, tried_at = now() where blob_id = ${blobId} and tries > 0`.execute(
    db,
  )
}

/** Condition on `files`: there is a thumbnail of it. */
export const HAS_THUMBNAIL = sql<boolean>`exists (
  select from thumbnails where thumbnails.blob_id = files.blob_id and thumbnails.state = 'made')`

/** Returns a file's thumbnail with the hash of what it shows; null if the reader does not see the file, or there is none. */
export async function findThumbnail(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  fileId: number,
): Promise<{ webp: Buffer; sha256: string } | null> {
  const { rows } = await sql<{ webp: Buffer; sha256: string }>`
    select thumbnails.webp, blobs.sha256 from files
    join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id
    join thumbnails on thumbnails.blob_id = files.blob_id and thumbnails.state = 'made'
    where files.id = ${fileId} and blobs.state = 'stored' and ${isOwnedBy(owner)} and ${isFileSeen(reader)}`.execute(
    db,
  )
  return rows[0] ?? null
}
