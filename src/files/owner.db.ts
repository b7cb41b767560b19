import { sql, type RawBuilder } from 'kysely'
import type { On } from '../log/log.db.ts'
import { getProject, isFolderSeenBy, type Reader } from '../projects/projects.db.ts'
import { isOffice } from '../rights.ts'
import type { Database } from '../server/database.ts'
import { notFound } from '../server/errors.ts'
import type { FileOwner } from './stored-file.ts'

/** Condition on folders: those of this owner that the reader may see. What is not among them does not exist. */
export function isFolderOf(owner: FileOwner, reader: Reader): RawBuilder<boolean> {
  if ('user' in owner) return isPersonsFolder(owner.user, reader)
  return sql<boolean>`(folders.project_id = ${owner.project} and ${belongsTo(owner.project, reader)} and ${isFolderSeenBy(reader)})`
}

function isPersonsFolder(userId: number, reader: Reader): RawBuilder<boolean> {
  return seesFilesOf(userId, reader) ? sql<boolean>`folders.user_id = ${userId}` : sql<boolean>`false`
}

function seesFilesOf(userId: number, reader: Reader): boolean {
  return isOffice(reader.role) || (reader.role === 'investor' && reader.id === userId)
}

function belongsTo(projectId: number, reader: Reader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return sql<boolean>`true`
  return sql<boolean>`exists (
    select from project_members where project_id = ${projectId} and user_id = ${reader.id})`
}

/** Where there is nothing to be found, there may still be an owner, or none that the reader may know of. */
export async function checkOwner(db: Database, reader: Reader, owner: FileOwner): Promise<void> {
  if ('project' in owner) {
    await getProject(db, reader, owner.project)
    return
  }
  const { rows } = await sql`select from users where id = ${owner.user}`.execute(db)
  if (rows.length === 0 || !seesFilesOf(owner.user, reader)) throw notFound('Brugeren findes ikke.')
}

/** Whose file it was that something was done to, for the log. */
export function onOwner(owner: FileOwner): On {
  return 'user' in owner ? { userId: owner.user } : { projectId: owner.project }
}
