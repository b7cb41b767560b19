import { sql } from 'kysely'
import { listReadersOfOwn } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { folderLenders } from '../../access/lenders.db.ts'
import { isFolderSeen, isReleased, isVersionSeen } from '../../access/seen.db.ts'
import { isAudited } from '../../projects/members.db.ts'
import { isOffice } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import type { FileGroup, FilePlace, HeldState } from '../file/stored-file.ts'
import { filesOf } from '../versions/shown.db.ts'
import { fileFields, toStoredFile, VERSION_HELD, type FileRow } from '../file/file-fields.db.ts'

export type FileGroups = { groups: FileGroup[]; deleted: number }

/** Lists a submission's files by the folder they are in now, and counts those that are in the trash. */
export async function listFileGroups(db: Database, reader: Reader, submission: number): Promise<FileGroups> {
  type Row = FileRow & {
    folder_id: number
    is_deleted: boolean
    held_version: number | null
    version_held: HeldState | null
  }
  const { rows } = await sql<Row>`
    select ${fileFields(reader)}, files.folder_id, files.deleted_at is not null as is_deleted, file_versions.blob_id as held_version,
      case when file_versions.id is not null then ${VERSION_HELD} end as version_held
    from (select id, held_version from ${filesOf(submission)}) as own
    join files on files.id = own.id
    left join file_versions on file_versions.id = own.held_version
    join blobs on blobs.id = coalesce(file_versions.blob_id, files.blob_id)
    join folders on folders.id = files.folder_id
    where ${isFolderSeen(reader)} and ${isReleased(reader)} and (own.held_version is null or ${isVersionSeen(reader)})
    order by files.position`.execute(db)
  const left = rows.filter((row) => !row.is_deleted)
  const files = Map.groupBy(left, (row) => row.folder_id)
  const places = await listFilePlaces(db, reader, [...files.keys()])
  const groups = places.map((place) => ({
    ...place,
    files: files
      .get(place.folder.id)!
      .map(({ folder_id: _folder, is_deleted: _deleted, held_version, version_held: held, ...file }) => ({
        ...toStoredFile({ ...file, held: held ?? file.held }),
        held_version,
      })),
  }))
  return { groups, deleted: rows.length - left.length }
}

/** The order of folders of several projects and people. */
export const PLACE_ORDER = sql`projects.number collate danish, users.name collate danish, folders.place, folders.id`

/** Reads folders with the project or person they belong to. */
export async function listFilePlaces(
  db: Database,
  reader: Reader,
  folderIds: number[],
): Promise<FilePlace[]> {
  if (folderIds.length === 0) return []
  type Row = Omit<FilePlace, 'user'> & { user: { id: number; name: string } | null }
  const { rows } = await sql<Row>`
    select
      json_build_object('id', folders.id, 'name', folders.name,
        'visible_to_investors', folders.visible_to_investors) as folder,
      case when projects.id is not null
        then json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name,
          'has_auditor', ${isAudited(sql`projects.id`)}) end as project,
      case when users.id is not null then json_build_object('id', users.id, 'name', users.name) end as "user",
      ${folderLenders(reader)} as lent_by
    from folders
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where folders.id = any (${folderIds}) and ${isFolderSeen(reader)}
    order by ${PLACE_ORDER}`.execute(db)
  const readers = await listReadersOfOwn(
    db,
    // Nobody else learns whom a person has lent to.
    rows.flatMap(({ user }) => (user && (isOffice(reader.role) || user.id === reader.id) ? [user.id] : [])),
  )
  return rows.map(({ user, ...place }) => ({
    ...place,
    user: user && { ...user, readers: readers.get(user.id) ?? [] },
  }))
}
