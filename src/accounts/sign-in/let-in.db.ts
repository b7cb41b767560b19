import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { urls } from '../../urls.ts'
import { findAccount, hasWayIn, lockActive } from '../users/users.db.ts'
import { addLinkToken } from '../links/link-tokens.db.ts'

const HOURS = 2

/**
 * Returns the path of a link that lets a person in once, to choose a password, and who they are. Using it removes their
 * second factor. For the operator of the server, when nobody can sign in. Null if no active person has the e-mail.
 */
export const letIn = transactional(
  async (trx: Trx, email: string): Promise<{ path: string; name: string; hours: number } | null> => {
    const account = await findAccount(trx, email)
    if (!account || !(await lockActive(trx, account.id))) return null
    const kind = (await hasWayIn(trx, account.id)) ? 'reset' : 'invitation'
    const token = await addLinkToken(trx, kind, account.id, HOURS, true)
    await addLogEntry(trx, { userId: null, address: null }, 'let-in', { userId: account.id })
    const path = kind === 'reset' ? urls.resetPassword(token) : urls.invitation(token)
    return { path, name: account.name, hours: HOURS }
  },
)
