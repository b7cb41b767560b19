import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { inviteUsers } from '../../accounts/links/link-mail.db.ts'
import { lockPeople, waitForPeople } from '../../accounts/users/lock-people.db.ts'
import type { Actor } from '../../log/log.db.ts'
import { askForMails, regretMails, type QueueMails } from '../../releases/mailings/mailings.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { inParts } from '../../server/database/in-parts.ts'
import { conflict } from '../../server/http/errors.ts'
import { CAN_BE_INVITED } from '../user/people-filters.db.ts'
import type { Chosen } from './chosen.server.ts'
import { findChosen } from './find-chosen.db.ts'
import { skippedText, sortOut, whyNotInvite, type Sorted } from './why-not.ts'

/** Asks for invitations to many people. They leave when the time for regret has passed. */
export const inviteMany = transactional(
  async (trx: Trx, visit: Visit, chosen: Chosen): Promise<Sorted<{ id: number }>> => {
    await lockPeople(trx, visit.actor)
    const sorted = sortOut(await findChosen(trx, visit.reader, chosen), whyNotInvite)
    if (sorted.taken.length === 0) throw conflict(`Der er ingen at invitere. ${skippedText(sorted.skipped)}`)
    const people = sorted.taken.map(({ id }) => id)
    await askForMails(trx, visit, 'invited-people', null, people)
    return sorted
  },
)

export const regretInvitations = transactional(
  async (trx: Trx, actor: Actor, mailing: number): Promise<void> => {
    await lockPeople(trx, actor)
    if ((await regretMails(trx, actor, { mailing })) === 0)
      throw conflict('Invitationerne er sendt, eller en kollega har fortrudt dem.')
  },
)

/** Queues the invitations of a mailing, to those who can still be invited. */
export const queuePeopleInvitations: QueueMails = async (trx, jobs, { userIds, actor }) => {
  await waitForPeople(trx)
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from users where id = any (${userIds}) and ${CAN_BE_INVITED} order by id`.execute(trx)
  for (const part of inParts(rows)) await inviteUsers(trx, jobs, actor, part)
  return rows.length
}
