import { sql, type RawBuilder } from 'kysely'
import { listReadersOf } from '../../access/sight.db.ts'
import type { StoredSight } from '../../access/sight.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Act } from '../../log/words/act.ts'
import type { Database, Trx } from '../../server/database/database.ts'

/** Acts that decide which bytes people see, and where. */
const ON_FILES: Act[] = ['file-moved', 'file-replaced', 'version-restored', 'file-restored']
/** Acts that decide who sees a folder: sharing it, or its name, by which access is lent. */
const ON_FOLDERS: Act[] = ['folder-shared', 'folder-changed']
const ON_PROJECTS: Act[] = ['member-added']
const ON_READERS: Act[] = ['user-added', 'role-changed', 'user-reactivated', 'access-lent', 'access-changed']

type Place = { file: number; folder: number; project: number | null }

/** Whether somebody has changed these files, or who sees them, since a moment. The log knows. */
async function hasHand(
  db: Database | Trx,
  places: Place[],
  readers: number[],
  userId: number,
  since: RawBuilder<unknown> | Date,
): Promise<boolean> {
  const of = (name: keyof Place) => [...new Set(places.map((place) => place[name]))]
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from log where user_id = ${userId} and at >= ${since} and (
        act = any (${ON_FILES}) and file_id = any (${of('file')}::bigint[])
        or act = any (${ON_FOLDERS}) and folder_id = any (${of('folder')}::bigint[])
        or act = any (${ON_PROJECTS}) and project_id = any (${of('project')}::bigint[])
        or act = any (${ON_READERS}) and subject_user_id = any (${readers}::bigint[]))
    ) as has`.execute(db)
  return rows[0]!.has
}

/** Whether somebody has changed the files of a release, or who will see them, since it was made, or since a moment. */
export async function tookPart(
  db: Database | Trx,
  submission: number,
  userId: number,
  since: Date | null,
): Promise<boolean> {
  const { rows: places } = await sql<Place>`
    select files.id as file, folders.id as folder, folders.project_id as project
    from ${filesOf(submission)} join folders on folders.id = files.folder_id`.execute(db)
  if (places.length === 0) return false
  const folders = places.map(({ folder }) => folder)
  const readers = await listReadersOf(db, folders)
  const made = sql`(select made_at from releases where submission_id = ${submission})`
  return hasHand(
    db,
    places,
    readers.flatMap(({ people }) => people),
    userId,
    since ?? made,
  )
}

/** The same for what a request shows. */
export async function tookPartInShown(
  trx: Trx,
  { shown, office }: StoredSight,
  userId: number,
  since: Date,
): Promise<boolean> {
  const files = shown.flatMap((each) => each.files.map(({ id }) => id))
  const people = [...shown.flatMap((each) => each.people), ...office]
  const { rows: places } = await sql<Place>`
    select files.id as file, folders.id as folder, folders.project_id as project
    from files join folders on folders.id = files.folder_id where files.id = any (${files}::bigint[])`.execute(
    trx,
  )
  const known = people.filter((person) => typeof person === 'number')
  return hasHand(trx, places, known, userId, since)
}
