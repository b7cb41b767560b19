import type { Trx } from '../../server/database/database.ts'
import { findPasswordHash } from '../users/users.db.ts'
import { addSession, removeSession } from './sessions.db.ts'

/** The browser that signs in. */
export type Browser = { address: string | null; device: string; oldToken: string | undefined }

export type NewSession = { token: string; account: { id: number; password_hash: string | null } }

/**
 * Starts a new session for every sign-in, and ends the browser's old one, even if it was another person's. `isStrong`: they
 * have proved themselves with a second factor, or in a way that needs none.
 */
export async function openSession(
  trx: Trx,
  browser: Browser,
  userId: number,
  isStrong = false,
): Promise<NewSession> {
  if (browser.oldToken) await removeSession(trx, browser.oldToken)
  const token = await addSession(trx, userId, browser.device, isStrong)
  return { token, account: { id: userId, password_hash: await findPasswordHash(trx, userId) } }
}
