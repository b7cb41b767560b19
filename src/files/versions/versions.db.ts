import { sql } from 'kysely'
import type { FileOwner, Reader, Visit } from '../../access/reader.ts'
import { isFileSeen, isFolderOf, isVersionSeen } from '../../access/seen.db.ts'
import { isPaperHeld } from '../../access/sight.db.ts'
import type { FileVersion } from '../../log/words/entry.ts'
import { addLogEntry } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { changingFiles, lockFiles, type LockedFile } from '../change/lock.db.ts'
import type { Content } from '../content/content.db.ts'
import { ownerLogFields } from '../file/owner.db.ts'
import { HELD_NAMES, type HeldState } from '../file/stored-file.ts'
import { causeOf } from './held.db.ts'
import { versionName } from '../names/version-name.ts'

// A version's id, outside this file, is that of its blob: a row of `file_versions` gets other bytes when they are swapped
// with the shown ones, and a page may be older than that.

const NO_VERSION = 'Versionen findes ikke længere, eller den er den nyeste nu. Genindlæs siden.'

/** Finds the bytes of a version that its file does not show. */
export async function findVersionContent(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  id: number,
): Promise<{ file: Content; version: string } | null> {
  type Row = Omit<Content, 'version'> & { number: number | null }
  const { rows } = await sql<Row>`
    select files.id, files.folder_id, files.name, file_versions.number, blobs.id as blob_id, blobs.key as blob_key, blobs.size,
      blobs.type, blobs.sha256
    from file_versions join files on files.id = file_versions.file_id
    join folders on folders.id = files.folder_id
    join blobs on blobs.id = file_versions.blob_id
    where file_versions.blob_id = ${id} and blobs.state = 'stored'
      and ${isFolderOf(owner, reader)} and ${isFileSeen(reader)} and ${isVersionSeen(reader)}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { number, ...file } = row
  return {
    file: { ...file, name: versionName(file.name, number), version: number ?? 0 },
    version: number === null ? 'new' : String(number),
  }
}

/** Lists a file's versions, the shown one first, then those that wait, then older ones. Nothing for one in the trash. */
export async function listVersions(db: Database, reader: Reader, fileId: number): Promise<FileVersion[]> {
  type Row = Omit<FileVersion, 'added_at' | 'held'> & {
    added_at: Date
    state: HeldState | null
    release: number | null
  }
  const { rows } = await sql<Row>`
    select all_of_it.id, all_of_it.number, all_of_it.added_at, users.name as added_by, blobs.size,
      case when all_of_it.is_held_back then
        case releases.state when 'published' then ${causeOf(sql`all_of_it.blob_id`)} else releases.state end end as state, releases.id as release,
      all_of_it.is_held_back and releases.id is null as is_unpublished
    from files join folders on folders.id = files.folder_id
    cross join lateral (
      select null::bigint as id, files.version as number, files.blob_id, greatest(files.created_at, files.version_at) as added_at,
        coalesce(files.version_by, files.uploaded_by) as added_by, files.submission_id, files.is_held_back
      union all
      select blob_id, number, blob_id, added_at, coalesce(version_by, case number when 1 then files.uploaded_by end),
        file_versions.submission_id, file_versions.is_held_back
      from file_versions where file_versions.file_id = files.id
    ) as all_of_it
    join blobs on blobs.id = all_of_it.blob_id
    left join users on users.id = all_of_it.added_by
    left join releases on releases.submission_id = all_of_it.submission_id
      and (releases.state <> 'published' or all_of_it.is_held_back and ${isPaperHeld(sql`all_of_it.blob_id`)})
    where files.id = ${fileId} and ${isFileSeen(reader)} and ${isVersionSeen(reader)}
    order by all_of_it.id is not null, all_of_it.number desc nulls first, all_of_it.added_at desc`.execute(db)
  return rows.map(({ added_at: at, state, release, ...row }) => ({
    ...row,
    added_at: at.toISOString(),
    held: state === null || release === null ? null : { name: HELD_NAMES[state], release },
  }))
}

type LockedVersion = {
  file: LockedFile
  version: {
    id: number
    number: number | null
    blob_id: number
    submission_id: number | null
    is_held_back: boolean
  }
}

/** Locks a file and one of its versions. */
export async function lockVersion(
  trx: Trx,
  reader: Reader,
  owner: FileOwner,
  id: number,
): Promise<LockedVersion> {
  const { rows: found } = await sql<{ file_id: number }>`
    select file_id from file_versions where blob_id = ${id} and ${isVersionSeen(reader)}`.execute(trx)
  if (!found[0]) throw notFound(NO_VERSION)
  const { files } = await lockFiles(trx, reader, owner, [found[0].file_id])
  const { rows } = await sql<LockedVersion['version']>`
    select id, number, blob_id, submission_id, is_held_back from file_versions where blob_id = ${id} for update`.execute(
    trx,
  )
  if (!rows[0]) throw notFound(NO_VERSION)
  return { file: files[0]!, version: rows[0] }
}

/** Removes a version for good. Returns its blob, which a trigger has marked; the caller removes its bytes. */
export const removeVersion = changingFiles(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    owner: FileOwner,
    id: number,
  ): Promise<{ blob: number; file: number }> => {
    const { file, version } = await lockVersion(trx, reader, owner, id)
    await trx.deleteFrom('file_versions').where('id', '=', version.id).execute()
    await addLogEntry(trx, actor, 'version-removed', {
      ...ownerLogFields(owner),
      folderId: file.folder_id,
      fileId: file.id,
      detail: version.number === null ? 'new' : String(version.number),
    })
    return { blob: version.blob_id, file: file.id }
  },
)
