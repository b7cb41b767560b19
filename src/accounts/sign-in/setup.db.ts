import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { addLinkToken, takeLinkToken } from './link-tokens.db.ts'
import { addUser, hasUsers, type NewUser } from '../users.db.ts'
import { openSession, type Browser, type NewSession } from './sign-in.db.ts'

/** A fresh one-time link while there is nobody who could sign in. */
export async function makeSetupToken(db: Database): Promise<string | null> {
  return (await hasUsers(db)) ? null : addLinkToken(db, 'setup', null)
}

/** The first administrator, and only the first: of two who try at once, one does. */
export const addFirstAdministrator = transactional(
  async (trx: Trx, browser: Browser, token: string, user: Omit<NewUser, 'role'>): Promise<NewSession> => {
    await sql`lock table users in exclusive mode`.execute(trx)
    if ((await hasUsers(trx)) || !(await takeLinkToken(trx, 'setup', token))) throw notFound()
    const actor: Actor = { userId: null, address: browser.address }
    const { id } = await addUser(trx, actor, { ...user, role: 'administrator' })
    await trx.deleteFrom('link_tokens').where('kind', '=', 'setup').execute()
    await addLogEntry(trx, { ...actor, userId: id }, 'setup')
    return openSession(trx, browser, id)
  },
)
