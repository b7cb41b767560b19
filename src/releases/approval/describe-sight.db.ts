import { sql } from 'kysely'
import type { StoredSight, Who } from '../../access/sight.ts'
import type { Database } from '../../server/database/database.ts'
import type { ShownToPeople } from './asked.ts'

const MOST_GROUPS = 5
const MOST_PEOPLE = 20
const MOST_FILES = 100

/** Says who would see which files, with their present names. */
export async function describeSights(db: Database, sights: StoredSight[]): Promise<ShownToPeople[][]> {
  const groups = sights.flatMap(({ shown }) => shown.slice(0, MOST_GROUPS))
  const ids = groups.flatMap(({ files }) => files.slice(0, MOST_FILES).map(({ id }) => id))
  const everybody = sights.flatMap(({ shown, office }) => [
    ...shown.flatMap(({ people }) => people),
    ...office,
  ])
  const { rows: files } = await sql<{ id: number; name: string; place: string }>`
    select files.id, files.name,
      case when projects.id is null then coalesce(users.name, '') else folders.name || ' i ' || projects.name end as place
    from files join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    where files.id = any (${ids}::bigint[])`.execute(db)
  const { rows: people } = await sql<{ id: number; name: string }>`
    select id, name from users
    where id = any (${everybody.filter((person) => typeof person === 'number')}::bigint[])`.execute(db)
  const fileOf = new Map(files.map((file) => [file.id, file]))
  const nameOf = new Map<Who, string>(people.map(({ id, name }) => [id, name]))
  // A new person of the request is known by e-mail.
  const named = (all: Who[]) =>
    all
      .slice(0, MOST_PEOPLE)
      .map((person) => nameOf.get(person) ?? (typeof person === 'string' ? person : 'en person'))
  return sights.map(({ shown, office }) => [
    ...(office.length === 0
      ? []
      : [{ people: named(office), people_total: office.length, files: [], files_total: null }]),
    ...shown.slice(0, MOST_GROUPS).map((group) => ({
      people: named(group.people),
      people_total: group.people.length,
      files: [...new Set(group.files.slice(0, MOST_FILES).flatMap(({ id }) => fileOf.get(id) ?? []))],
      files_total: group.files.length,
    })),
  ])
}
