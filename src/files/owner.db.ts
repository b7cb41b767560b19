import { sql } from 'kysely'
import type { FileOwner, Reader } from '../access/reader.ts'
import { isPersonSeen } from '../access/seen.db.ts'
import type { On } from '../log/log.db.ts'
import { getProject } from '../projects/projects.db.ts'
import type { Database } from '../server/database/database.ts'
import { notFound } from '../server/http/errors.ts'

/** Where there is nothing to be found, there may still be an owner, or none that the reader may know of. */
export async function checkOwner(db: Database, reader: Reader, owner: FileOwner): Promise<void> {
  if ('project' in owner) {
    await getProject(db, reader, owner.project)
    return
  }
  const { rows } = await sql`select from users where id = ${owner.user} and ${isPersonSeen(reader)}`.execute(
    db,
  )
  if (rows.length === 0) throw notFound('Brugeren findes ikke.')
}

/** Whose file it was that something was done to, for the log. */
export function onOwner(owner: FileOwner): On {
  return 'user' in owner ? { userId: owner.user } : { projectId: owner.project }
}
