import { randomBytes } from 'node:crypto'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'

export type Squares = { small: Buffer; large: Buffer }

/**
 * Returns the new image's key. Updates the person's row first, which locks it: of two uploads at once the last one
 * wins, whole.
 */
export const setProfileImage = transactional(setProfileImageWithin)

async function setProfileImageWithin(
  trx: Trx,
  actor: Actor,
  userId: number,
  squares: Squares,
): Promise<string> {
  const key = randomBytes(16).toString('hex')
  await trx.updateTable('users').set({ image_key: key }).where('id', '=', userId).execute()
  await trx
    .insertInto('profile_images')
    .values({ user_id: userId, ...squares })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(squares))
    .execute()
  await addLogEntry(trx, actor, 'profile-image-changed')
  return key
}

/** Logs nothing if there was no image. */
export const removeProfileImage = transactional(removeProfileImageWithin)

async function removeProfileImageWithin(trx: Trx, actor: Actor, userId: number): Promise<void> {
  await trx.updateTable('users').set({ image_key: null }).where('id', '=', userId).execute()
  const { numDeletedRows } = await trx
    .deleteFrom('profile_images')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await addLogEntry(trx, actor, 'profile-image-removed')
}
