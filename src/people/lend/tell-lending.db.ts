import { sql } from 'kysely'
import { IS_LENT_NOW } from '../../access/lent.db.ts'
import { scopeText, untilText } from '../../access/lent.ts'
import { waitForPeople } from '../../accounts/users/lock-people.db.ts'
import { inviteUser } from '../../accounts/links/link-mail.db.ts'
import { hasWayIn } from '../../accounts/users/users.db.ts'
import type { User } from '../../accounts/users/user.ts'
import type { Actor } from '../../log/log.db.ts'
import { sendJoinedMail } from '../../office/joined-mails.db.ts'
import { findOffice } from '../../office/office.db.ts'
import type { QueueMails } from '../../releases/mailings/mailings.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { accessGivenMail, lendingMail } from './lend-mails.ts'
import type { Terms } from './lending.ts'

export type Sender = Pick<Parts, 'jobs' | 'config'>

const describe = ({ config }: Sender, { until, ...scope }: Terms) =>
  `${scopeText(scope)}, ${untilText(until?.toISOString() ?? null, config.timeZone)}`

/** Mails the lender, also about their own acts: it may have been somebody else at their screen. */
export async function tellLender(
  trx: Trx,
  sender: Sender,
  actor: Actor,
  lender: User,
  adviser: User,
  act: 'given' | 'changed' | 'taken-back',
  terms: Terms,
): Promise<void> {
  const office = await findOffice(trx)
  const about = {
    act,
    isOwn: actor.userId === lender.id,
    adviser: `${adviser.name} (${adviser.email})`,
    what: describe(sender, terms),
    link: sender.config.appUrl + urls.ownLendings,
  }
  const notice = { to: lender.email, cause: 'lending', causer: actor.userId }
  await sendJoinedMail(trx, sender.jobs, notice, (times) => lendingMail(office, lender, { ...about, times }))
}

/** Tells both of access that is given. An adviser without a login is invited. */
export async function tellBoth(
  trx: Trx,
  sender: Sender,
  actor: Actor,
  lender: User,
  adviser: User,
  terms: Terms,
): Promise<void> {
  await tellLender(trx, sender, actor, lender, adviser, 'given', terms)
  if (!(await hasWayIn(trx, adviser.id))) {
    await inviteUser(trx, sender.jobs, actor, adviser, lender.id)
    return
  }
  const office = await findOffice(trx)
  const about = {
    lender: lender.name,
    isByOffice: actor.userId !== lender.id,
    what: describe(sender, terms),
    link: sender.config.appUrl + urls.start,
  }
  const notice = { to: adviser.email, cause: `lent ${lender.id}`, causer: actor.userId }
  await sendJoinedMail(trx, sender.jobs, notice, () => accessGivenMail(office, adviser, about))
}

/** Queues the mails about access that the office gave, if it still holds. */
export const queueLendingMails =
  (config: Parts['config']): QueueMails =>
  async (trx, jobs, { about, userIds, actor }) => {
    await waitForPeople(trx)
    const { rows } = await sql<Terms & { lender: User; adviser: User }>`
      select lendings.is_everything, lendings.folder_names, lendings.with_own_files, lendings.gets_mails, lendings.until,
        json_build_object('id', lender.id, 'name', lender.name, 'email', lender.email, 'role', lender.role) as lender,
        json_build_object('id', adviser.id, 'name', adviser.name, 'email', adviser.email, 'role', adviser.role) as adviser
      from lendings join users as lender on lender.id = lendings.lender_id
      join users as adviser on adviser.id = lendings.adviser_id
      where lendings.id = ${about} and ${IS_LENT_NOW}
        and lender.deactivated_at is null and adviser.deactivated_at is null`.execute(trx)
    if (!rows[0]) return 0
    const { lender, adviser, ...terms } = rows[0]
    await tellBoth(trx, { jobs, config }, actor, lender, adviser, terms)
    return userIds.length
  }
