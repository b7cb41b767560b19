import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { addLinkToken, takeLinkToken } from '../links/link-tokens.db.ts'
import { addUser, hasUsers, type NewUser } from '../users/users.db.ts'
import { openSession, type Browser, type NewSession } from '../session/open-session.db.ts'

/** Returns a new one-time token while there are no users, otherwise null. */
export async function makeSetupToken(db: Database): Promise<string | null> {
  return (await hasUsers(db)) ? null : addLinkToken(db, 'setup', null)
}

/** Adds the first administrator. The lock makes sure that of two attempts at once only one succeeds. */
export const addFirstAdministrator = transactional(
  async (trx: Trx, browser: Browser, token: string, user: Omit<NewUser, 'role'>): Promise<NewSession> => {
    await sql`lock table users in exclusive mode`.execute(trx)
    if ((await hasUsers(trx)) || !(await takeLinkToken(trx, 'setup', token, null))) throw notFound()
    const actor: Actor = { userId: null, address: browser.address }
    const { id } = await addUser(trx, actor, { ...user, role: 'administrator' })
    await trx.deleteFrom('link_tokens').where('kind', '=', 'setup').execute()
    await addLogEntry(trx, { ...actor, userId: id }, 'setup')
    return openSession(trx, browser, id)
  },
)
