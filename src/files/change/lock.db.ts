import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isDeletedFileSeen, isFileSeen, isFolderOf } from '../../access/seen.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'

export type LockedFolder = { id: number; visible_to_investors: boolean }
export type LockedFile = { id: number; folder_id: number; blob_id: number; position: string }

const MOST_TRIES = 10

/** Locks folders, so that only one transaction at a time changes their content. The order by id prevents deadlocks. */
export async function lockFolders(
  trx: Trx,
  reader: Reader,
  owner: FileOwner,
  ids: number[],
  orOf: FileOwner = owner,
): Promise<Map<number, LockedFolder>> {
  const { rows } = await sql<LockedFolder>`
    select id, visible_to_investors from folders
    where id = any (${ids}) and (${isFolderOf(owner, reader)} or ${isFolderOf(orOf, reader)}) order by id for update`.execute(
    trx,
  )
  if (rows.length < new Set(ids).size) throw notFound('Mappen findes ikke.')
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locks a file and its folder. Also locks the folder that the file moves to, which may belong to another owner. */
export async function lockFile(
  trx: Trx,
  reader: Reader,
  owner: FileOwner,
  fileId: number,
  { deleted = false, target, targetOf }: { deleted?: boolean; target?: number; targetOf?: FileOwner } = {},
): Promise<{ file: LockedFile; folders: Map<number, LockedFolder> }> {
  const find = async (folderId?: number) => {
    const { rows } = await sql<LockedFile>`
      select files.id, files.folder_id, files.blob_id, files.position
      from files join folders on folders.id = files.folder_id
      where files.id = ${fileId} and ${isFolderOf(owner, reader)}
        and ${deleted ? isDeletedFileSeen(reader) : isFileSeen(reader)}
        ${folderId === undefined ? sql`` : sql`and files.folder_id = ${folderId} for update of files`}`.execute(
      trx,
    )
    return rows[0]
  }
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    await sql`savepoint look`.execute(trx)
    const seen = await find()
    if (!seen) throw notFound('Filen findes ikke.')
    const folders = await lockFolders(
      trx,
      reader,
      owner,
      [seen.folder_id, target ?? seen.folder_id],
      targetOf,
    )
    const file = await find(seen.folder_id)
    if (file) return { file, folders }
    // Someone moved or deleted it while we waited. Releases the locks that others may wait for, and looks again.
    await sql`rollback to savepoint look`.execute(trx)
  }
  throw conflict('Filen bliver flyttet af andre lige nu. Prøv igen.')
}
