import { sql } from 'kysely'
import { IS_LENT_NOW, lendingsTo } from '../access/lent.db.ts'
import type { Reader } from '../access/reader.ts'
import { isFolderSeen } from '../access/seen.db.ts'
import { checkOwner } from '../files/file/owner.db.ts'
import { checkRelease } from '../releases/release/release-list.db.ts'
import { isLentTo, isOffice } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { forbidden } from '../server/http/errors.ts'
import { marksFor, mayListen, NO_REACH, type About, type Reach } from './interest.ts'

/** Returns the marks that a reader listens for. Throws like the list itself if the reader may not see it. */
export async function findMarks(db: Database, reader: Reader, about: About): Promise<string[]> {
  if (!mayListen(reader, about)) throw forbidden()
  const { list, id } = about
  if (list === 'project' || list === 'project-trash') await checkOwner(db, reader, { project: id })
  if (list === 'user' || list === 'user-trash') await checkOwner(db, reader, { user: id })
  if (list === 'release') await checkRelease(db, id)
  const isOfProjects = list === 'projects' || list === 'start'
  const needsReach = isLentTo(reader.role) || (isOfProjects && !isOffice(reader.role))
  return marksFor(reader, about, needsReach ? await findReach(db, reader) : NO_REACH)
}

/** Finds the projects and people of a reader outside the office whose marks concern them. */
export async function findReach(db: Database, reader: Reader): Promise<Reach> {
  if (!isLentTo(reader.role)) return { ...NO_REACH, projects: await listMemberships(db, reader.id) }
  const { rows: folders } = await sql<{ id: number; project: number }>`
    select folders.id, folders.project_id as project from folders
    where folders.project_id in (
        select project_id from ${lendingsTo(reader)} join project_members on project_members.user_id = lender.id)
      and ${isFolderSeen(reader)}`.execute(db)
  const { rows: lenders } = await sql<{ id: number }>`
    select lender.id from ${lendingsTo(reader)} where lendings.is_everything or lendings.with_own_files`.execute(
    db,
  )
  return { projects: [], folders, lenders: lenders.map(({ id }) => id) }
}

/**
 * Returns when the next of an adviser's lendings ends by itself, because a listening page must not hear more after
 * that.
 */
export async function findNextEnd(db: Database, reader: Reader): Promise<Date | null> {
  if (!isLentTo(reader.role)) return null
  const { rows } = await sql<{ until: Date | null }>`
    select min(until) as until from lendings where adviser_id = ${reader.id} and ${IS_LENT_NOW}`.execute(db)
  return rows[0]!.until
}

async function listMemberships(db: Database, user: number): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    select project_id from project_members where user_id = ${user}`.execute(db)
  return rows.map(({ project_id: project }) => project)
}
