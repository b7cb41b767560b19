import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isReleased } from '../../access/seen.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../../files/list/files.db.ts'
import { isAudited } from '../../projects/members.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import type { Result, ResultGroup } from './result.ts'

/** Lists the files that the reader's form has stored, by the folder they are in now. */
export async function readResult(db: Database, reader: Reader, key: string): Promise<Result> {
  const submission = await db
    .selectFrom('submissions')
    .select(['id', 'form', 'skipped'])
    .where('user_id', '=', reader.id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!submission) throw notFound('Den upload findes ikke.')
  const { rows } = await sql<FileRow & { folder_id: number; is_deleted: boolean }>`
    select ${fileFields(reader)}, files.folder_id, files.deleted_at is not null as is_deleted
    from files join blobs on blobs.id = files.blob_id join folders on folders.id = files.folder_id
    where files.submission_id = ${submission.id} and ${isFolderSeen(reader)} and ${isReleased(reader)}
    order by files.position`.execute(db)
  const left = rows.filter((row) => !row.is_deleted)
  const files = Map.groupBy(left, (row) => row.folder_id)
  const notStored = submission.skipped ?? []
  const places = await listGroups(db, reader, [
    ...files.keys(),
    ...notStored.map(({ folder_id: folder }) => folder),
  ])
  const groups = places.flatMap((place) => {
    const theirs = files.get(place.folder.id)
    if (!theirs) return []
    const stored = theirs.map(({ folder_id: _folder, is_deleted: _deleted, ...file }) => toStoredFile(file))
    return [{ ...place, files: stored }]
  })
  const skipped = notStored.flatMap(({ name, twin, folder_id: folder }) => {
    const place = places.find((each) => each.folder.id === folder)
    return place ? [{ ...place, name, twin }] : []
  })
  return { form: submission.form, groups, skipped, deleted: rows.length - left.length }
}

async function listGroups(
  db: Database,
  reader: Reader,
  folderIds: number[],
): Promise<Omit<ResultGroup, 'files'>[]> {
  const { rows } = await sql<Omit<ResultGroup, 'files'>>`
    select
      json_build_object('id', folders.id, 'name', folders.name,
        'visible_to_investors', folders.visible_to_investors) as folder,
      case when projects.id is not null
        then json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name,
          'has_auditor', ${isAudited(sql`projects.id`)}) end as project,
      case when users.id is not null then json_build_object('id', users.id, 'name', users.name) end as "user"
    from folders
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where folders.id = any (${folderIds}) and ${isFolderSeen(reader)}
    order by projects.number collate danish, users.name collate danish, folders.place, folders.id`.execute(db)
  return rows
}
