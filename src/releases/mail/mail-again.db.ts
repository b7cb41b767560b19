import { sql } from 'kysely'
import { IS_OF_SHOWN } from '../../projects/news/news.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { QueueMails } from '../mailings/mailings.db.ts'

/** Lists whom a mail about a release was sent to and who have opened nothing of it. */
export async function listReminded(trx: Trx, releaseId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from release_people where release_id = ${releaseId} and ${IS_TO_REMIND} order by user_id`.execute(
    trx,
  )
  return rows.map((row) => row.user_id)
}

/** Queues the reminders of a mailing, to those who still have opened nothing. */
export const queueReminders: QueueMails = async (trx, _jobs, { about, userIds }) => {
  const { numAffectedRows } = await sql`
    update release_people set outcome = null, mail_id = null, reason = null, is_reminder = told_at is not null
    where release_id = ${about} and user_id = any (${userIds}) and ${IS_TO_REMIND}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Lists people whom a recall kept from being mailed, also by a mail that is just being sent. They no longer wait: the
 * mails about files that can be seen again are asked for again.
 */
export async function listUnmailedSinceRecall(trx: Trx, releaseId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    update release_people set outcome = 'nothing'
    where release_id = ${releaseId} and (outcome = 'nothing' or outcome is null) and not ${HAS_OPENED} returning user_id`.execute(
    trx,
  )
  return rows.map((row) => row.user_id)
}

/** Lets people of a mailing wait again whom a recall kept from being mailed. */
export const queueAgain: QueueMails = async (trx, _jobs, { about, userIds }) => {
  const { numAffectedRows } = await sql`
    update release_people set outcome = null, mail_id = null
    where release_id = ${about} and user_id = any (${userIds}) and outcome = 'nothing'`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Condition on `release_people`: has opened or downloaded a file of the release. */
const HAS_OPENED = sql<boolean>`exists (
  select from releases join files on files.submission_id = releases.submission_id
  join file_reads on file_reads.file_id = files.id and ${IS_OF_SHOWN}
  where releases.id = release_people.release_id and file_reads.user_id = release_people.user_id)`

/** Condition on `release_people`: mailed, but nothing opened so far. */
const IS_TO_REMIND = sql<boolean>`(outcome in ('sent', 'failed') and not ${HAS_OPENED})`
