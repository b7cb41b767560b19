import { sql } from 'kysely'
import { FILE_FIELDS, toStoredFile, type FileRow } from '../files/files.db.ts'
import { isFolderSeenBy, type Reader } from '../projects/projects.db.ts'
import type { Database } from '../server/database.ts'
import { notFound } from '../server/errors.ts'
import type { Result, ResultGroup } from './result.ts'

/** What somebody's form has put where; where its files are now. */
export async function readResult(db: Database, reader: Reader, key: string): Promise<Result> {
  const submission = await db
    .selectFrom('submissions')
    .select('id')
    .where('user_id', '=', reader.id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!submission) throw notFound('Den upload findes ikke.')
  const { rows } = await sql<FileRow & { folder_id: number }>`
    select ${FILE_FIELDS}, files.folder_id from files join blobs on blobs.id = files.blob_id
    where files.submission_id = ${submission.id} and files.deleted_at is null order by files.position`.execute(
    db,
  )
  const files = Map.groupBy(rows, (row) => row.folder_id)
  const groups = await listGroups(db, reader, [...files.keys()])
  const seen = groups.map((group) => ({
    ...group,
    files: files.get(group.folder.id)!.map(({ folder_id: _folder, ...file }) => toStoredFile(file)),
  }))
  const { rows: stored } = await sql<{ count: number }>`
    select count(*)::integer from files where submission_id = ${submission.id}`.execute(db)
  return { groups: seen, deleted: stored[0]!.count - rows.length }
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
        then json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) end as project,
      case when users.id is not null then json_build_object('id', users.id, 'name', users.name) end as "user"
    from folders
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where folders.id = any (${folderIds}) and ${isFolderSeenBy(reader)}
    order by projects.number collate danish, users.name collate danish, folders.place, folders.id`.execute(db)
  return rows
}
