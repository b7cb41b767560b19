import { sql } from 'kysely'
import { addGuessedAccount } from '../../log/guessed-accounts.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { isAdministrator, rolesThat } from '../../rights.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { tooMany } from '../../server/http/errors.ts'
import { sendSecurityMail } from '../../server/mail.ts'
import type { Parts } from '../../server/parts.ts'
import { logOf } from '../../urls.ts'
import { guessingMail } from '../mails/mails.ts'
import type { User } from '../users/user.ts'
import { beginAttempt, isAccountThrottled, type Attempt } from './sign-in-throttle.db.ts'

/** For the server's own log. */
export const NOT_TOLD = 'nobody was told of an account that is guessed at'

type Teller = Pick<Parts, 'db' | 'jobs' | 'config'>

/**
 * Counts a try to prove who one is, before it is made. Refuses if there have been too many, and tells administrators whose
 * account it is; `userId` is null for an account that there is not. `complain` is called if they cannot be told.
 */
export async function countTry(
  parts: Teller,
  attempt: Attempt,
  userId: number | null,
  complain: (error: unknown) => void,
): Promise<void> {
  const wait = await beginAttempt(parts.db, attempt)
  if (wait === 0) return
  // Not waited for: the time that an answer takes must not tell whether there is such an account.
  if (userId !== null) void noteGuessing(parts.db, parts, attempt, userId).catch(complain)
  throw tooMany(
    wait,
    `Der har været for mange forsøg. Prøv igen om ${wait} ${wait === 1 ? 'sekund' : 'sekunder'}.`,
  )
}

const noteGuessing = transactional(
  async (trx: Trx, { jobs, config }: Teller, attempt: Attempt, userId: number): Promise<void> => {
    if (!(await isAccountThrottled(trx, attempt))) return
    if (!(await addGuessedAccount(trx, userId))) return
    const administrators = await listTold(trx)
    if (administrators.length === 0) return
    const { name } = await trx
      .selectFrom('users')
      .select('name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const office = await findOffice(trx)
    const link = config.appUrl + logOf({ person: userId })
    for (const to of administrators) await sendSecurityMail(trx, jobs, guessingMail(office, to, name, link))
  },
)

/** Lists the administrators who want to be told. */
async function listTold(trx: Trx): Promise<User[]> {
  const { rows } = await sql<User>`
    select id, name, email, role from users
    where told_of_guessing and role = any (${rolesThat(isAdministrator)})
      and deactivated_at is null and has_way_in(users)
    order by id`.execute(trx)
  return rows
}
