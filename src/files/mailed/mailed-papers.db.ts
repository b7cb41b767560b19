import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import { listFilePlaces } from '../list/file-groups.db.ts'
import type { FileGroup } from '../file/stored-file.ts'

/** How many files of its folder are listed around a single paper. */
const MOST_BESIDE = 100

/**
 * Lists papers that a mail named, as far as the reader sees them now. A single paper stands among the other files of its
 * folder. Throws not-found if none is left.
 */
export async function listPapers(db: Database, reader: Reader, ids: readonly number[]): Promise<FileGroup[]> {
  const { rows } = await sql<FileRow & { folder_id: number }>`
    with asked as materialized (
      select files.id, files.folder_id from files join folders on folders.id = files.folder_id
      where files.id = any (${ids}) and ${isFileSeen(reader)}
    ), beside as (
      select files.id from files join folders on folders.id = files.folder_id
      where ${ids.length === 1}::boolean and files.folder_id in (select folder_id from asked) and ${isFileSeen(reader)}
      order by files.position limit ${MOST_BESIDE}
    )
    select ${fileFields(reader)}, files.folder_id
    from (select id from asked union select id from beside) as listed join files on files.id = listed.id
    join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    order by files.position`.execute(db)
  if (rows.length === 0) throw notFound('Filen findes ikke, eller du har ikke adgang.')
  const byFolder = Map.groupBy(rows, (row) => row.folder_id)
  const places = await listFilePlaces(db, reader, [...byFolder.keys()])
  return places.map((place) => ({
    ...place,
    files: (byFolder.get(place.folder.id) ?? []).map(({ folder_id: _folder, ...file }) => ({
      ...toStoredFile(file),
      held_version: null,
    })),
  }))
}
