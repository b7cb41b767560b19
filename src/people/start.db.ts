import { sql, type RawBuilder } from 'kysely'
import { fileFields, type FileRow } from '../files/files.db.ts'
import { listNewest } from '../projects/news.db.ts'
import type { Reader } from '../projects/projects.db.ts'
import { isOffice } from '../rights.ts'
import type { Database } from '../server/database.ts'
import type { StartFile } from './start-file.ts'

/** What is new to somebody, in their projects and of their own, the newest first. */
export async function listNews(db: Database, reader: Reader, most: number): Promise<StartFile[]> {
  const newest = await listNewest(db, reader, most)
  if (newest.length === 0) return []
  const which = sql<boolean>`files.id = any (${newest.map(({ id }) => id)})`
  const files = new Map((await readFiles(db, reader, which)).map((file) => [file.id, file]))
  return newest.flatMap(({ id, at }) => {
    const file = files.get(id)
    return file ? [{ ...file, at: at.toISOString() }] : []
  })
}

/** Somebody's own files, the newest first, and how many there are. */
export async function listOwnNewest(
  db: Database,
  reader: Reader,
  most: number,
): Promise<{ files: StartFile[]; total: number }> {
  const { rows } = await sql<{ id: number; files_count: number }>`
    select id, files_count from folders where user_id = ${reader.id}`.execute(db)
  const [folder] = rows
  if (!folder) return { files: [], total: 0 }
  const which = sql<boolean>`files.id in (
    select id from files where folder_id = ${folder.id} and deleted_at is null
    order by shown_at desc, id desc limit ${most})`
  return { files: await readFiles(db, reader, which), total: folder.files_count }
}

/** What investors have sent the office, the newest first; new until one of the office has read it. */
export async function listReceived(db: Database, reader: Reader, most: number): Promise<StartFile[]> {
  const files = await readFiles(
    db,
    reader,
    sql<boolean>`files.id in (
      select id from files where from_investor and deleted_at is null
      order by created_at desc, id desc limit ${most})`,
  )
  const { rows } = await sql<{ file_id: number }>`
    select distinct file_id from file_reads join users on users.id = file_reads.user_id
    where file_id = any (${files.map(({ id }) => id)}) and users.role in ('administrator', 'employee')`.execute(
    db,
  )
  const read = new Set(rows.map((row) => row.file_id))
  return files.map((file) => ({ ...file, is_new: !read.has(file.id) }))
}

type Row = FileRow & {
  project_id: number | null
  user_id: number | null
  project: string | null
  sender_id: number | null
  sender: string | null
  shown_at: Date
}

async function readFiles(db: Database, reader: Reader, which: RawBuilder<boolean>): Promise<StartFile[]> {
  const { rows } = await sql<Row>`
    select ${fileFields(reader)}, files.shown_at, folders.project_id, folders.user_id, projects.name as project,
      users.id as sender_id, users.name as sender
    from files
    join blobs on blobs.id = files.blob_id
    join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users on users.id = files.uploaded_by and files.from_investor
    where ${which} order by files.shown_at desc, files.id desc`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path: row.path,
    mime: row.mime,
    is_new: row.is_new,
    from_investor: row.from_investor,
    owner: row.project_id === null ? { user: row.user_id! } : { project: row.project_id },
    project: row.project,
    sender: isOffice(reader.role) && row.sender_id !== null ? { id: row.sender_id, name: row.sender! } : null,
    at: row.shown_at.toISOString(),
  }))
}
