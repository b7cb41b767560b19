import { addLogEntry, renamed, type Actor } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { removeOtherSessions } from '../sessions.db.ts'
import { keepFindable } from '../users.db.ts'

/** Logs nothing if the name is the same. */
export async function changeName(trx: Trx, actor: Actor, userId: number, name: string): Promise<void> {
  const { name: before } = await trx
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before === name) return
  await trx.updateTable('users').set({ name }).where('id', '=', userId).execute()
  await keepFindable(trx, userId)
  await addLogEntry(trx, actor, 'profile-changed', { names: renamed(before, name) })
}

export async function findPasswordHash(db: Database | Trx, userId: number): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return user.password_hash
}

/**
 * Ends all other sessions and removes all links. Returns false if the password changed since `hash.old` was read,
 * or the person was deactivated.
 */
export async function changePassword(
  trx: Trx,
  actor: Actor,
  userId: number,
  hash: { old: string | null; new: string },
  token: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash: hash.new })
    .where('id', '=', userId)
    .where('password_hash', '=', hash.old)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await removeOtherSessions(trx, userId, token)
  await trx.deleteFrom('link_tokens').where('user_id', '=', userId).execute()
  await addLogEntry(trx, actor, 'password-changed')
  return true
}
