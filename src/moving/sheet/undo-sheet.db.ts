import { sql } from 'kysely'
import { lockPeople } from '../../accounts/users/lock-people.db.ts'
import { sheetDetail } from '../../log/words/act.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { regretMails } from '../../releases/mailings/mailings.db.ts'
import { isTaken, isUsed, transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { changePeopleBack } from './apply-people.db.ts'
import { writeProjects } from './apply-projects.db.ts'
import { UNDO_DAYS } from './import.ts'
import { inParts } from '../../server/database/in-parts.ts'
import { findObstacles } from './obstacles.db.ts'
import type { ChangedPerson, Made, ProjectFields } from './plan/plan.ts'
import { logEach, reversed, Stale, type Writing } from './write-rows.db.ts'

/** Something prevents undoing an import. */
export class UndoRefused extends Error {
  obstacles: string[]

  constructor(obstacles: string[]) {
    super(obstacles.join(' '))
    this.obstacles = obstacles
  }
}

const SINCE = 'Noget er ændret, mens importen blev fortrudt. Prøv igen.'

/**
 * Undoes exactly what an import has made, if nothing else was done to it since. Otherwise throws `UndoRefused` and
 * changes nothing. Does nothing if the import is undone already.
 */
export async function undoSheet(db: Database, actor: Actor, id: number): Promise<void> {
  try {
    await undoWithin(db, actor, id)
  } catch (error) {
    const isLate =
      error instanceof Stale ||
      isTaken(error, 'users_email_key_key') ||
      FOREIGN_KEYS.some((key) => isUsed(error, key))
    throw isLate ? conflict(SINCE) : error
  }
}

const FOREIGN_KEYS = [
  'project_members_project_id_fkey',
  'project_members_user_id_fkey',
  'files_folder_id_fkey',
]

const undoWithin = transactional(async (trx: Trx, actor: Actor, id: number): Promise<void> => {
  await lockPeople(trx, actor)
  const { rows } = await sql<{ is_undone: boolean; is_open: boolean; last_log_id: number }>`
      select undone_at is not null as is_undone, last_log_id,
        made_at > now() - make_interval(days => ${UNDO_DAYS}) as is_open
      from sheet_imports where id = ${id} for update`.execute(trx)
  const [found] = rows
  if (!found) throw notFound('Importen findes ikke.')
  if (found.is_undone) return
  if (!found.is_open) throw conflict(`En import kan fortrydes i ${UNDO_DAYS} dage. Denne er ældre.`)
  const made = await readMade(trx, id)
  // First the folders: whoever stores a file has locked its folder.
  await sql`select from folders where project_id = any (${made.newProjects}) order by id for update`.execute(
    trx,
  )
  const obstacles = await findObstacles(trx, made, found.last_log_id)
  if (obstacles.length > 0) throw new UndoRefused(obstacles)
  await takeBack({ trx, actor, sheet: id }, made)
  await regretMails(trx, actor, { import: id })
  await sql`
      update sheet_imports set undone_at = now(), undone_by = ${actor.userId} where id = ${id}`.execute(trx)
  await addLogEntry(trx, actor, 'sheet-undone', { detail: sheetDetail(id) })
})

async function readMade(trx: Trx, id: number): Promise<Made> {
  const { rows } = await sql<{
    what: string
    project_id: number | null
    user_id: number | null
    before: object | null
    after: object | null
  }>`
    select what, project_id, user_id, before, after from sheet_changes where import_id = ${id} order by id`.execute(
    trx,
  )
  const of = (what: string) => rows.filter((row) => row.what === what)
  return {
    newProjects: of('project-added').map((row) => row.project_id!),
    // Written by the import itself.
    changedProjects: of('project-changed').map((row) => ({
      id: row.project_id!,
      before: row.before as Partial<ProjectFields>,
      after: row.after as Partial<ProjectFields>,
    })),
    newPeople: of('user-added').map((row) => row.user_id!),
    changedPeople: of('user-changed').map((row) => {
      const { addedNumbers, ...after } = row.after as ChangedPerson['after'] & { addedNumbers: string[] }
      return { id: row.user_id!, before: row.before as ChangedPerson['before'], after, addedNumbers }
    }),
    members: of('member-added').map((row) => ({ projectId: row.project_id!, userId: row.user_id! })),
  }
}

async function takeBack(writing: Writing, made: Made): Promise<void> {
  for (const part of inParts(made.members))
    await sql`
      delete from project_members using json_to_recordset(${JSON.stringify(part)}::json)
        as gone ("projectId" bigint, "userId" bigint)
      where project_id = gone."projectId" and user_id = gone."userId"`.execute(writing.trx)
  await logEach(writing, 'member-removed', made.members)
  await changePeopleBack(writing, made.changedPeople)
  await removePeople(writing, made.newPeople)
  await writeProjects(writing, reversed(made.changedProjects))
  await removeProjects(writing, made.newProjects)
}

/** How many people one statement removes: it checks some fifty tables for each of them. */
const PEOPLE_AT_A_TIME = 100

/**
 * Removes people who never signed in. Nobody else is ever deleted: others are deactivated (`accounts/change-user.db.ts`) and
 * keep their papers. The log keeps all entries, and former names for `LOG_ADDRESS_MONTHS`.
 */
async function removePeople(writing: Writing, ids: number[]): Promise<void> {
  const { trx } = writing
  for (const part of inParts(ids, PEOPLE_AT_A_TIME)) {
    for (const table of ['user_numbers', 'link_tokens', 'failed_mails'] as const)
      await trx.deleteFrom(table).where('user_id', 'in', part).execute()
    const { rows } = await sql<{ id: number; name: string }>`
      delete from users where id = any (${part}) returning id, name`.execute(trx)
    const removed = rows.map(({ id, name }) => ({ userId: id, names: { before: name, after: '' } }))
    await logEach(writing, 'user-removed', removed)
  }
  // Open lists of users fetch themselves again: nothing else tells them that somebody is gone.
  if (ids.length > 0) await sql`select note_changes(' users')`.execute(trx)
}

/** How many projects one statement removes, with their folders. */
const PROJECTS_AT_A_TIME = 250

async function removeProjects(writing: Writing, ids: number[]): Promise<void> {
  const { trx } = writing
  for (const part of inParts(ids, PROJECTS_AT_A_TIME)) {
    await sql`delete from folder_names where project_id = any (${part})`.execute(trx)
    await sql`delete from folders where project_id = any (${part})`.execute(trx)
    const { rows } = await sql<{ id: number; name: string }>`
      delete from projects where id = any (${part}) returning id, name`.execute(trx)
    const removed = rows.map(({ id, name }) => ({ projectId: id, names: { before: name, after: '' } }))
    await logEach(writing, 'project-removed', removed)
  }
}
