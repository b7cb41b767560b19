import { sql } from 'kysely'
import type { FileOwner, Reader, Visit } from '../../access/reader.ts'
import { isDeletedFileSeen, isFolderOf } from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { addLogEntries } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import { changeAtOnce, changingFiles, lockFiles } from '../change/lock.db.ts'
import { checkOwner, ownerLogFields } from '../file/owner.db.ts'
import { TRASH_DAYS, type DeletedFile, type FolderOption } from '../file/stored-file.ts'

/** Lists the newest deletions first. */
export async function listTrash(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  query: ListQuery,
): Promise<Page<DeletedFile>> {
  await checkOwner(db, reader, owner)
  return readPage(db, query, {
    found: sql`from files join folders on folders.id = files.folder_id
      where ${isDeletedFileSeen(reader)} and ${isFolderOf(owner, reader)} and ${isFound(sql<string>`files.search`, query.q)}`,
    id: sql<number>`files.id`,
    order: sql`files.deleted_at desc, files.id desc`,
    read: async (ids) => {
      type Row = FileRow & { folder: FolderOption; deleted_at: Date; deleted_by: string | null }
      const { rows } = await sql<Row>`
        select ${fileFields(reader)}, files.deleted_at,
          json_build_object('id', folders.id, 'name', folders.name,
            'visible_to_investors', folders.visible_to_investors) as folder,
          users.name as deleted_by
        from files
        join blobs on blobs.id = files.blob_id
        join folders on folders.id = files.folder_id
        left join users on users.id = files.deleted_by
        where files.id = any (${ids}) and files.deleted_at is not null`.execute(db)
      return rows.map(({ folder, deleted_at: at, deleted_by: by, ...row }) => ({
        ...toStoredFile(row),
        folder,
        deleted_at: at.toISOString(),
        deleted_by: by,
      }))
    },
  })
}

const fromTrash = changeAtOnce({
  act: 'file-restored',
  kind: 'restore',
  isDeleted: true,
  change: () => sql`deleted_at = null, deleted_by = null`,
})

/** Moves files out of the trash, back to their old places. Returns the id to undo it by. */
export const restoreFiles = async (
  db: Database | Trx,
  visit: Visit,
  owner: FileOwner,
  fileIds: number[],
): Promise<string> => (await fromTrash(db, visit, owner, fileIds, {})).undo

/** Removes files for good and marks their blobs for removal. Returns the blobs; the caller removes their bytes. */
export const removeFiles = changingFiles(removeFilesWithin)

async function removeFilesWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileIds: number[],
): Promise<number[]> {
  const { files } = await lockFiles(trx, reader, owner, fileIds, { isDeleted: true })
  const blobs = files.map((file) => file.blob_id)
  await sql`delete from files where id = any (${fileIds})`.execute(trx)
  await sql`update blobs set state = 'removing' where id = any (${blobs})`.execute(trx)
  await addLogEntries(
    trx,
    actor,
    'file-removed',
    files.map(({ id, folder_id: folderId }) => ({ ...ownerLogFields(owner), folderId, fileId: id })),
  )
  return blobs
}

const A_TIME = 500

/**
 * Removes files that have been in the trash too long. Returns how many. Each file has bytes of its own, which the next
 * `purgeBlobs` (`server/storage/blobs.db.ts`) removes; while a copy is made it removes none.
 */
export async function purgeTrash(db: Database): Promise<number> {
  let purged = 0
  for (;;) {
    const count = await db.transaction().execute(purgeSome)
    purged += count
    if (count < A_TIME) return purged
  }
}

async function purgeSome(trx: Trx): Promise<number> {
  type Gone = { id: number; folder_id: number; project_id: number | null; user_id: number | null }
  // Skips files that someone is restoring right now.
  const { rows } = await sql<Gone>`
    with old as (
      select files.id, folders.project_id, folders.user_id
      from files join folders on folders.id = files.folder_id
      where files.deleted_at < now() - make_interval(days => ${TRASH_DAYS})
      order by files.deleted_at limit ${A_TIME} for update of files skip locked
    ), gone as (
      delete from files using old where files.id = old.id
      returning files.id, files.folder_id, files.blob_id, old.project_id, old.user_id
    ), given_up as (
      update blobs set state = 'removing' from gone where blobs.id = gone.blob_id
    )
    select id, folder_id, project_id, user_id from gone`.execute(trx)
  await addLogEntries(
    trx,
    { userId: null, address: null },
    'file-removed',
    rows.map((row) => ({
      fileId: row.id,
      folderId: row.folder_id,
      projectId: row.project_id,
      userId: row.user_id,
    })),
  )
  return rows.length
}
