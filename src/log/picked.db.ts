import { sql } from 'kysely'
import { cleanLine, emailKey, rawLength } from '../base/text.ts'
import type { Database } from '../server/database.ts'
import { fileOf, type FileRow } from './entries.db.ts'
import type { Named, Picked } from './entry.ts'
import type { LogFilter } from './filter.ts'

/** Who and what the filters are about, by name. A person or project that is none is null; a file may be gone. */
export async function findPicked(
  db: Database,
  { person, project, file }: LogFilter,
): Promise<Omit<Picked, 'days'>> {
  return {
    person: person === null ? null : await findPerson(db, person),
    project: project === null ? null : await findProject(db, project),
    file: file === null ? null : await findFile(db, file),
  }
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

/** The one person with a number, an e-mail or a name; for who cannot pick from a list. */
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

/** The one project with a number or a name. */
export async function findProjectNamed(db: Database, text: string): Promise<number | null> {
  if (text.length > rawLength(254)) return null
  const line = cleanLine(text)
  const { rows } = await sql<{ id: number }>`
    select id from projects where number = ${line} union select id from projects where name = ${line}
    limit 2`.execute(db)
  return rows.length === 1 ? rows[0]!.id : null
}
