import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import { listFilePlaces, PLACE_ORDER } from '../list/file-groups.db.ts'
import type { FileGroup } from '../file/stored-file.ts'

/** How many files of its folder are listed around a single paper. */
const MOST_BESIDE = 100

/** How many of several papers are shown at a time. */
const MOST_SHOWN = 50

export type MailedPapers = {
  groups: FileGroup[]
  /** Which of them are shown, from 1, and how many the reader sees. */
  from: number
  total: number
  /** The following ones come after this file. Null if there are none. */
  next: number | null
}

/**
 * Lists papers that a mail named, as far as the reader sees them now: the first ones, or those after a file. A single paper
 * stands among the other files of its folder. Throws not-found if none is left.
 */
export async function listPapers(
  db: Database,
  reader: Reader,
  ids: readonly number[],
  after: number | null = null,
): Promise<MailedPapers> {
  const { rows } = await sql<FileRow & { folder_id: number; nth: number; total: number }>`
    with asked as materialized (
      select files.id, files.folder_id from files join folders on folders.id = files.folder_id
      where files.id = any (${ids}) and ${isFileSeen(reader)}
    ), beside as (
      select files.id from files join folders on folders.id = files.folder_id
      where ${ids.length === 1}::boolean and files.folder_id in (select folder_id from asked) and ${isFileSeen(reader)}
      order by files.position limit ${MOST_BESIDE}
    ), listed as materialized (
      select files.id, row_number() over (order by ${PLACE_ORDER}, files.position)::integer as nth, count(*) over ()::integer as total
      from (select id from asked union select id from beside) as all_files join files on files.id = all_files.id
      join folders on folders.id = files.folder_id
      left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    )
    select ${fileFields(reader)}, files.folder_id, listed.nth, listed.total
    from listed join files on files.id = listed.id
    join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    where nth > coalesce((select nth from listed where id = ${after}::bigint), 0)
    order by nth limit ${ids.length === 1 ? MOST_BESIDE + 1 : MOST_SHOWN}`.execute(db)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) throw notFound('Filen findes ikke, eller du har ikke adgang.')
  const byFolder = Map.groupBy(rows, (row) => row.folder_id)
  const places = await listFilePlaces(db, reader, [...byFolder.keys()])
  const groups = places.map((place) => ({
    ...place,
    files: (byFolder.get(place.folder.id) ?? []).map(
      ({ folder_id: _folder, nth: _nth, total: _total, ...file }) => ({
        ...toStoredFile(file),
        held_version: null,
      }),
    ),
  }))
  return { groups, from: first.nth, total: first.total, next: last.nth < last.total ? last.id : null }
}
