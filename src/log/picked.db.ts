import { sql } from 'kysely'
import { cleanLine, emailKey, rawLength } from '../base/text.ts'
import type { Role } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { fileOf, type FileRow } from './entries.db.ts'
import type { FileReach, FileReads, FileVersion, Named, Picked } from './words/entry.ts'
import type { LogFilter } from './words/filter.ts'

/** What higher rooms know about a file: who sees it, and its versions. */
export type AboutFile = {
  reach: (file: number) => Promise<FileReach | null>
  versions: (reader: { id: number; role: Role }, file: number) => Promise<FileVersion[]>
  /** The names of releases by their ids. */
  releases: (ids: number[]) => Promise<ReadonlyMap<number, string>>
}

/** Looks up the names for the filters. An unknown person or project becomes null; a file may have been deleted. */
export async function findPicked(
  db: Database,
  { person, project, file }: LogFilter,
  about: AboutFile,
  reader: { id: number; role: Role },
): Promise<Omit<Picked, 'days'>> {
  return {
    person: person === null ? null : await findPerson(db, person),
    project: project === null ? null : await findProject(db, project),
    file: file === null ? null : await findFile(db, file),
    reads: file === null ? null : await countReads(db, file),
    reach: file === null ? null : await about.reach(file),
    versions: file === null ? [] : await about.versions(reader, file),
  }
}

async function countReads(db: Database, file: number): Promise<FileReads> {
  const { rows } = await sql<{ people: number; at: Date | null; name: string | null }>`
    with reads as (
      select user_id, at, id from log
      where file_id = ${file} and act in ('file-opened', 'file-downloaded') and user_id is not null
        and as_user_id is null
    )
    select (select count(distinct user_id) from reads) as people, last.at, last.name
    from (select) as one left join (
      select at, name from reads join users on users.id = user_id order by at desc, reads.id desc limit 1
    ) as last on true`.execute(db)
  const { people, at, name } = rows[0]!
  return { people, last: at === null ? null : { at: at.toISOString(), name: name! } }
}

/** Whether a file exists, or existed and is still in the log. */
export async function isFileKnown(db: Database, file: number): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from files where id = ${file}) or exists (select from log where file_id = ${file})
      as is_known`.execute(db)
  return rows[0]!.is_known
}

async function findPerson(db: Database, id: number): Promise<Named | null> {
  const { rows } = await sql<Named>`select id, name from users where id = ${id}`.execute(db)
  return rows[0] ?? null
}

async function findProject(db: Database, id: number): Promise<Picked['project']> {
  const { rows } = await sql<NonNullable<Picked['project']>>`
    select id, number, name from projects where id = ${id}`.execute(db)
  return rows[0] ?? null
}

async function findFile(db: Database, id: number): Promise<Picked['file']> {
  const { rows } = await sql<FileRow>`
    select files.name as file_name, files.key as file_key, files.deleted_at is not null as is_in_trash,
      folders.project_id as file_project, folders.user_id as file_user
    from files join folders on folders.id = files.folder_id where files.id = ${id}`.execute(db)
  return fileOf(id, rows[0])
}

/** Returns the person with this number, e-mail or name, if exactly one matches. For pages without JavaScript. */
export async function findPersonNamed(db: Database, text: string): Promise<number | null> {
  if (text.length > rawLength(254)) return null
  const line = cleanLine(text)
  const { rows } = await sql<{ id: number }>`
    select id from users where email_key = ${emailKey(line)}
    union select user_id from user_numbers where number = ${line}
    union select id from users where name = ${line}
    limit 2`.execute(db)
  return rows.length === 1 ? rows[0]!.id : null
}

/** Returns the project with this number or name, if exactly one matches. */
export async function findProjectNamed(db: Database, text: string): Promise<number | null> {
  if (text.length > rawLength(254)) return null
  const line = cleanLine(text)
  const { rows } = await sql<{ id: number }>`
    select id from projects where number = ${line} union select id from projects where name = ${line}
    limit 2`.execute(db)
  return rows.length === 1 ? rows[0]!.id : null
}
