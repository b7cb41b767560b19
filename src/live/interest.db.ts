import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { checkOwner } from '../files/owner.db.ts'
import { checkRelease } from '../releases/release-list.db.ts'
import { isOffice } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { forbidden } from '../server/http/errors.ts'
import { marksFor, mayListen, type About } from './interest.ts'

/** Returns the marks that a reader listens for. Throws as the list itself does if the reader may not see it. */
export async function findMarks(db: Database, reader: Reader, about: About): Promise<string[]> {
  if (!mayListen(reader, about)) throw forbidden()
  const { list, id } = about
  if (list === 'project' || list === 'project-trash') await checkOwner(db, reader, { project: id })
  if (list === 'user' || list === 'user-trash') await checkOwner(db, reader, { user: id })
  if (list === 'release') await checkRelease(db, id)
  const isOfProjects = list === 'projects' || list === 'start'
  const projects = isOfProjects && !isOffice(reader.role) ? await listMemberships(db, reader.id) : []
  return marksFor(reader, about, projects)
}

async function listMemberships(db: Database, user: number): Promise<number[]> {
  const { rows } = await sql<{ project_id: number }>`
    select project_id from project_members where user_id = ${user}`.execute(db)
  return rows.map(({ project_id: project }) => project)
}
