import { transactional, type Trx } from '../../server/database/database.ts'
import { setProved } from '../session/sessions.db.ts'
import { forgetFailures, type Attempt } from '../throttle/sign-in-throttle.db.ts'
import { findStillRight } from '../users/users.db.ts'

/**
 * Remembers a proof. Returns false if the password was changed, the person deactivated or the session ended during the
 * comparison.
 */
export const noteProof = transactional(
  async (
    trx: Trx,
    account: { id: number; password_hash: string | null },
    token: string,
    attempt: Attempt,
    isStrong: boolean,
  ): Promise<boolean> => {
    if (!(await findStillRight(trx, account.id, account.password_hash))) return false
    await forgetFailures(trx, attempt)
    return setProved(trx, account.id, token, isStrong)
  },
)
