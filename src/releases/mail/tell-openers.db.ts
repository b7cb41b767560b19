import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { queue } from '../../jobs.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { isJobUnderWay } from '../../server/database/unfinished-jobs.db.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Attempt, JobId, Jobs } from '../../server/work/jobs.ts'
import type { MailTools } from '../../server/mail.ts'
import { mailReason } from '../../server/mail-reason.ts'
import { IS_UNMAILED, listOpenedBy, listOpeners, openersOf } from '../release/openings.db.ts'
import { handOver } from '../mailings/mail-queue.db.ts'
import { askForMails, type QueueMails } from '../mailings/mailings.db.ts'
import { RECALL_MESSAGE, recallMail } from './recall-mail.ts'
import type { Recall } from '../release/release.ts'
import { lockRelease } from '../approval/locked-release.db.ts'
import { CUT_OFF } from './tell-people.db.ts'

type RecallOutcome = 'sent' | 'nothing' | 'failed'

/** The job's id is the mail's Message-ID. */
const TELL_OPENER = queue<{ userId: number }>('tell-opener')

/** Stands in the preview where the office's words come. */
const MARK = '\u2060\u2060'

/** Reads who had opened files of a recalled release, and the mail to them as it will look. */
export async function readRecall(db: Database, id: number): Promise<Recall> {
  const openers = await listOpeners(db, id)
  const example = openers.rows.find(({ is_active: isActive }) => isActive)
  const { rows } = await sql<{ message: string }>`
    select message from (
      select message, asked_at from recall_mails where release_id = ${id}
      union all select message, asked_at from mailings where release_id = ${id} and kind = 'recall'
    ) as written order by asked_at desc limit 1`.execute(db)
  const message = rows[0]?.message ?? RECALL_MESSAGE
  if (!example || openers.untold === 0) return { openers, message, mail: null }
  const { subject, text } = recallMail(
    await findOffice(db),
    { name: example.name, email: '' },
    await listOpenedBy(db, id, example.id),
    MARK,
  )
  const [before, after] = text.split(MARK)
  return { openers, message, mail: { subject, before: before!, after: after! } }
}

/** Asks for a mail to everybody who had opened files of a recalled release and has not got it yet. */
export const writeToOpeners = transactional(
  async (trx: Trx, visit: Visit, id: number, message: string): Promise<void> => {
    await lockRelease(trx, visit.reader, id, 'tell-openers')
    const { rows } = await sql<{ id: number }>`
      select users.id from ${openersOf(id)} where ${IS_UNMAILED} order by users.id`.execute(trx)
    if (rows.length === 0)
      throw conflict('Ingen at skrive til: Alle, der har åbnet papirerne, har fået mailen eller får den nu.')
    const people = rows.map((row) => row.id)
    await askForMails(trx, visit, 'recall', { release: id }, people, message)
  },
)

/** Queues the mails of a mailing about a recall. */
export const queueRecallMails: QueueMails = async (trx, jobs, { about, userIds, message }) => {
  const { rows } = await sql<{ user_id: number; mail_id: string }>`
    insert into recall_mails (release_id, user_id, mail_id, message)
    select releases.id, users.id, gen_random_uuid(), ${message} from ${openersOf(about)}
    where users.id = any (${userIds}) and releases.state = 'recalled' and ${IS_UNMAILED}
    on conflict (release_id, user_id) do update set mail_id = excluded.mail_id, message = excluded.message,
      asked_at = clock_timestamp(), outcome = null, told_at = null, reason = null
    returning user_id, mail_id`.execute(trx)
  await jobs.enqueueMany(
    trx,
    TELL_OPENER,
    rows.map(({ user_id: userId, mail_id: mailId }) => ({ id: mailId, data: { userId } })),
  )
  return rows.length
}

type Tools = Pick<MailTools, 'db' | 'mailer' | 'watch'>

/** Starts sending the queued mails about recalls. */
export async function sendRecallMails(jobs: Jobs, tools: Tools): Promise<void> {
  const { db } = tools
  await jobs.work(TELL_OPENER, async (_data, id, attempt) => {
    const end = (outcome: RecallOutcome | null, reason: string | null) =>
      sql`
        update recall_mails set outcome = ${outcome}, reason = ${reason},
          told_at = case ${outcome}::text when 'sent' then now() end
        where mail_id = ${id} and outcome is null`.execute(db)
    try {
      const { outcome, reason } = await tellOpener(tools, id, attempt)
      await end(outcome, reason)
    } catch (error) {
      await end(attempt.isLast ? 'failed' : null, mailReason(error))
      if (!attempt.isLast) throw error
    }
  })
}

type MailResult = { outcome: RecallOutcome; reason: string | null }

/** Sends one mail, if it is still wanted. */
async function tellOpener(tools: Tools, id: JobId, attempt: Attempt): Promise<MailResult> {
  const { db } = tools
  const { rows } = await sql<{ id: number; name: string; email: string; release: number; message: string }>`
    select users.id, users.name, users.email, recall_mails.release_id as release, recall_mails.message
    from recall_mails join users on users.id = recall_mails.user_id
    join releases on releases.id = recall_mails.release_id and releases.state = 'recalled'
    where recall_mails.mail_id = ${id} and recall_mails.outcome is null
      and users.deactivated_at is null and users.role = any (${OUTSIDE_ROLES})`.execute(db)
  const [person] = rows
  if (!person) return { outcome: 'nothing', reason: null }
  const files = await listOpenedBy(db, person.release, person.id)
  const mail = recallMail(await findOffice(db), person, files, person.message)
  return { reason: null, ...(await handOver(tools, mail, id, attempt)) }
}

/** Ends the wait for mails whose job was cut off in its last try. */
export async function endLostRecallMails(db: Database): Promise<void> {
  await sql`
    update recall_mails set outcome = 'failed', reason = coalesce(reason, ${CUT_OFF})
    where outcome is null and not ${isJobUnderWay(TELL_OPENER.name, sql<string>`recall_mails.mail_id`)}`.execute(
    db,
  )
}

/** Stops the mails about a recall that have not left. */
export async function stopRecallMails(trx: Trx, releaseId: number): Promise<void> {
  await sql`
    update recall_mails set outcome = 'nothing' where release_id = ${releaseId} and outcome is null`.execute(
    trx,
  )
}
