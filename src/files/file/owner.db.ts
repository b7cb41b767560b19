import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isPersonSeen } from '../../access/seen.db.ts'
import type { On } from '../../log/log.db.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'

/** Throws not-found if there is no such owner, or if the reader may not see it. An empty list does not say which. */
export async function checkOwner(db: Database, reader: Reader, owner: FileOwner): Promise<void> {
  if ('project' in owner) {
    await getProject(db, reader, owner.project)
    return
  }
  const { rows } = await sql`select from users where id = ${owner.user} and ${isPersonSeen(reader)}`.execute(
    db,
  )
  if (rows.length === 0) throw notFound('Personen findes ikke.')
}

/** Returns the log's fields for the owner of a file. */
export function ownerLogFields(owner: FileOwner): On {
  return 'user' in owner ? { userId: owner.user } : { projectId: owner.project }
}
