import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { addLinkToken, takeLinkToken } from './link-tokens.db.ts'
import { addUser, hasUsers, type NewUser } from '../users.db.ts'
import type { User } from '../user.ts'

/** A fresh one-time link while there is nobody who could sign in. */
export async function makeSetupToken(db: Database): Promise<string | null> {
  return (await hasUsers(db)) ? null : addLinkToken(db, 'setup', null)
}

/** The first administrator, and only the first: of two who try at once, one does. */
export async function addFirstAdministrator(
  trx: Trx,
  actor: Actor,
  token: string,
  user: Omit<NewUser, 'role'>,
): Promise<User> {
  await sql`lock table users in exclusive mode`.execute(trx)
  if ((await hasUsers(trx)) || !(await takeLinkToken(trx, 'setup', token))) throw notFound()
  const added = await addUser(trx, actor, { ...user, role: 'administrator' })
  await trx.deleteFrom('link_tokens').where('kind', '=', 'setup').execute()
  await addLogEntry(trx, { ...actor, userId: added.id }, 'setup')
  return added
}
