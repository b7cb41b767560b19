import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../server/database/database.ts'

type Row = {
  id: number
  file: string | null
  file_id: number | null
  version_id: number | null
  is_deleted: boolean
  folder: string | null
  project: string | null
  person: string | null
  temporary: string | null
  sender: string | null
  handed_in: string | null
}

/**
 * Describes the file of each blob for people: `Budget.pdf in Budget of project 1024 K/S Nordhavn (file 7, blob 9)`.
 */
export async function nameBlobs(db: Database, ids: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<Row>`
    select blobs.id, files.name as file, files.id as file_id, file_versions.id as version_id, files.deleted_at is not null as is_deleted,
      folders.name as folder, projects.number || ' ' || projects.name as project, owners.name as person,
      temporary_files.name as temporary, senders.name as sender, intake_files.name as handed_in
    from blobs
    left join ${await versionsOf(db)} as file_versions on file_versions.blob_id = blobs.id
    left join files
      on files.id = coalesce((select id from files where files.blob_id = blobs.id), file_versions.file_id)
    left join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users as owners on owners.id = folders.user_id
    left join temporary_files on temporary_files.blob_id = blobs.id
    left join users as senders on senders.id = temporary_files.user_id
    left join ${await intakesOf(db)} as intake_files on intake_files.blob_id = blobs.id
    where blobs.id = any (${ids})`.execute(db)
  const names = new Map(rows.map((row) => [row.id, describe(row)]))
  return new Map(ids.map((id) => [id, names.get(id) ?? `blob ${id}, whose row is gone`]))
}

/** The versions of files. A copy may be made of a database that is older than this code, and has none. */
async function versionsOf(db: Database): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('file_versions') is not null as is_there`.execute(db)
  return rows[0]!.is_there
    ? sql`file_versions`
    : sql`(select null::bigint as id, null::bigint as file_id, null::bigint as blob_id where false)`
}

/** The files that wait in the inbox. An older database has none, either. */
async function intakesOf(db: Database): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('intake_files') is not null as is_there`.execute(db)
  return rows[0]!.is_there
    ? sql`intake_files`
    : sql`(select null::text as name, null::bigint as blob_id where false)`
}

function describe(row: Row): string {
  const blob = `blob ${row.id}`
  if (row.file !== null) {
    const version = row.version_id === null ? '' : `version ${row.version_id} that it does not show, `
    const owner = row.project === null ? `${row.person}'s files` : `${row.folder} of project ${row.project}`
    return `${row.file} in ${owner} (${row.is_deleted ? 'in the trash, ' : ''}file ${row.file_id}, ${version}${blob})`
  }
  if (row.handed_in !== null) return `${row.handed_in}, which waits in the inbox (${blob})`
  if (row.temporary !== null) return `${row.temporary}, sent but not saved by ${row.sender} (${blob})`
  return `${blob}, which no file uses`
}
