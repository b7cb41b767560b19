import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isFileSeen } from '../access/seen.db.ts'
import { findOffice } from '../office/office.db.ts'
import { handOver, isTurn, queueMailsTo } from '../releases/mailings/mail-queue.db.ts'
import { latestTurns } from '../releases/mailings/mail-turns.ts'
import { MOST_NAMED } from '../releases/mail/release-mail.ts'
import { queue } from '../jobs.ts'
import { isOffice, rolesThat } from '../rights.ts'
import { alone } from '../server/database/alone.db.ts'
import type { Database } from '../server/database/database.ts'
import { isJobUnderWay } from '../server/database/unfinished-jobs.db.ts'
import type { Attempt, JobId, Jobs } from '../server/work/jobs.ts'
import type { MailTools } from '../server/mail.ts'
import { urls } from '../urls.ts'
import type { IntakeSource } from '../intake/intake.ts'
import { inboxMail, type InboxMailContent, type SentItem } from './inbox-mail.ts'

/** The job's id is the mail's Message-ID. */
const TELL_COLLEAGUE = queue<{ userId: number }>('tell-colleague')

/** Condition on `users`: a person of the office who has signed in once and wants mails. */
const WANTS_MAILS = sql<boolean>`(users.deactivated_at is null and users.role = any (${rolesThat(isOffice)})
  and has_way_in(users) and users.mail_rate <> 'never')`

/** Finds the people whom a mail tells what came into the inbox, and queues one to each whose turn it is. */
export async function announceReceived(db: Database, jobs: Jobs, timeZone: string): Promise<void> {
  await sql`
    with announced as (
      update inbox set announced_at = now() where announced_at is null returning submission_id
    )
    insert into inbox_people (submission_id, user_id)
    select announced.submission_id, users.id from announced, users where ${WANTS_MAILS}`.execute(db)
  const { rows } = await sql`select from inbox_people where mail_id is null limit 1`.execute(db)
  if (rows.length === 0) return
  const turns = latestTurns(new Date(), timeZone)
  // Several instances take turns: their rows overlap.
  await alone(db, 'mails about the inbox', async () => {
    await sql`
      delete from inbox_people using users
      where users.id = inbox_people.user_id and inbox_people.mail_id is null and not ${WANTS_MAILS}`.execute(
      db,
    )
    const queueNext = () =>
      db.transaction().execute((trx) =>
        queueMailsTo(trx, jobs, TELL_COLLEAGUE, {
          people: sql`inbox_people`,
          things: sql`inbox`,
          isWaiting: sql<boolean>`things.submission_id = people.submission_id`,
          isDue: isTurn(turns),
        }),
      )
    while (await queueNext());
  })
}

type Tools = MailTools & { timeZone: string }

/** Starts sending the queued mails to the office's people. */
export async function tellOffice(jobs: Jobs, tools: Tools): Promise<void> {
  await jobs.work(TELL_COLLEAGUE, async ({ userId }, id, attempt) => {
    await tellColleague(tools, userId, id, attempt).catch((error: unknown) => {
      if (!attempt.isLast) throw error
    })
    await tools.db.deleteFrom('inbox_people').where('mail_id', '=', id).execute()
  })
}

/** Removes mails whose job was killed in its last try. Their items are still in the inbox. */
export async function forgetLostInboxMails(db: Database): Promise<void> {
  await sql`
    delete from inbox_people where mail_id is not null
      and not ${isJobUnderWay(TELL_COLLEAGUE.name, sql<string>`inbox_people.mail_id`)}`.execute(db)
}

/** Asks now what is left to do, and tells the person about it. */
async function tellColleague(tools: Tools, userId: number, id: JobId, attempt: Attempt): Promise<void> {
  const { db, appUrl, timeZone } = tools
  const { rows } = await sql<Reader & { name: string; email: string }>`
    select id, role, name, email from users where id = ${userId} and ${WANTS_MAILS}`.execute(db)
  const [person] = rows
  const content = person && (await listUndone(db, person, id))
  if (!person || !content) return
  const link = appUrl + urls.inbox('all')
  const mail = inboxMail(await findOffice(db), person, content, { link, timeZone })
  await handOver(tools, { ...mail, stopUrl: appUrl + tools.stopPath(person.id) }, id, attempt)
}

type UndoneRow = {
  id: number
  sender: string
  source: IntakeSource | null
  subject: string
  sent_at: Date
  taken_by: string | null
  /** Null for a mail that has a text alone. */
  name: string | null
  total: number
  senders: number
}

/** Lists the items of a queued mail: those with files left that nobody has finished and the person has not taken. */
async function listUndone(db: Database, person: Reader, mailId: JobId): Promise<InboxMailContent | null> {
  const { rows } = await sql<UndoneRow>`
    with items as materialized (
      select inbox.submission_id as id, submissions.user_id as sender_id, submissions.created_at as sent_at,
        takers.name as taken_by
      from inbox_people
      join inbox on inbox.submission_id = inbox_people.submission_id and inbox.state <> 'done'
        and inbox.changed_by is distinct from ${person.id}
      join submissions on submissions.id = inbox.submission_id
      left join users as takers on takers.id = inbox.changed_by
      where inbox_people.mail_id = ${mailId} and inbox_people.user_id = ${person.id}
    ), undone as materialized (
      select items.*, senders.name as sender, null as source, '' as subject, files.id as file_id, files.name
      from items
      join users as senders on senders.id = items.sender_id
      join files on files.submission_id = items.id
      join folders on folders.id = files.folder_id
      where ${isFileSeen(person)}
      union all
      select items.*, intakes.sender, intakes.source, intakes.subject, intake_files.id, intake_files.name
      from items
      join intakes on intakes.submission_id = items.id
      left join intake_files on intake_files.submission_id = items.id and intake_files.blob_id is not null
    )
    select id, sender, source, subject, sent_at, taken_by, name, count(name) over ()::integer as total,
      (select count(distinct sender_id)::integer from undone) as senders
    from undone order by id, file_id limit ${MOST_NAMED}`.execute(db)
  const [first] = rows
  if (!first) return null
  const items = [...Map.groupBy(rows, (row) => row.id).values()].map(([row, ...more]): SentItem => ({
    sender: row!.sender,
    source: row!.source,
    subject: row!.subject,
    sentAt: row!.sent_at,
    takenBy: row!.taken_by,
    files: [row!, ...more].flatMap(({ name }) => name ?? []),
  }))
  return { items, total: first.total, senders: first.senders }
}
