import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { daysAfter } from '../../base/time/days.ts'
import { findOffice } from '../../office/office.db.ts'
import { handOver } from '../../releases/mailings/mail-queue.db.ts'
import { queue } from '../../jobs.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Attempt, JobId, Jobs } from '../../server/work/jobs.ts'
import type { MailTools } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { readDuties } from './duties.db.ts'
import { dutyMail, MOST_NAMED_DUTIES } from './duty-mail.ts'
import { ALL_DUTIES, writeDutyQuery } from './duty.ts'
import { MOST_DAYS_BEFORE, NEW_OBLIGATION } from './obligation.ts'
import { IS_COLLEAGUE, IS_OPEN } from './duty-state.db.ts'
import { isReminderDue } from './reminder.ts'

/** The job's id is the mail's Message-ID. */
const TELL_RESPONSIBLE = queue<{ userId: number; day: string }>('tell-responsible')

/** Condition on `users`: one of the office's people who has come in. */
const CAN_BE_TOLD = sql<boolean>`(${IS_COLLEAGUE} and has_way_in(users))`

/**
 * Queues one mail to each responsible about the duties that are to be told of by today: days on which nothing ran are caught up
 * on. Repeated on the same day, it mails nobody twice.
 */
export const remindOfDuties = transactional(async (trx: Trx, jobs: Jobs, today: string): Promise<void> => {
  const { rows } = await sql<{
    id: number
    user_id: number
    due_on: string
    remind_days: number[]
    told_on: string | null
  }>`
    select duties.id, users.id as user_id, duties.due_on::text as due_on,
      coalesce(obligations.remind_days, ${NEW_OBLIGATION.remind_days}::smallint[]) as remind_days,
      duties.told_on::text as told_on
    from duties left join obligations on obligations.id = duties.obligation_id join projects on projects.id = duties.project_id
    join users on users.id = duties.responsible_id and ${CAN_BE_TOLD}
    where ${IS_OPEN} and duties.due_on <= ${daysAfter(today, MOST_DAYS_BEFORE)}::date
      and not exists (select from duty_mails where duty_mails.user_id = users.id and duty_mails.day = ${today}::date)
    order by duties.id for update of duties skip locked`.execute(trx)
  const due = rows.filter((duty) => isReminderDue(duty, today))
  if (due.length === 0) return
  await sql`update duties set told_on = ${today}::date where id = any (${due.map(({ id }) => id)})`.execute(
    trx,
  )
  const people = [...new Set(due.map((duty) => duty.user_id))]
  await sql`
    insert into duty_mails (user_id, day) select unnest(${people}::bigint[]), ${today}::date`.execute(trx)
  await jobs.enqueueMany(
    trx,
    TELL_RESPONSIBLE,
    people.map((userId) => ({ id: randomUUID(), data: { userId, day: today } })),
  )
})

/** Starts sending the queued mails to the responsible. */
export async function tellResponsible(jobs: Jobs, tools: MailTools): Promise<void> {
  await jobs.work(TELL_RESPONSIBLE, async ({ userId, day }, id, attempt) => {
    await tellOne(tools, { userId, day }, id, attempt).catch((error: unknown) => {
      if (!attempt.isLast) throw error
    })
  })
}

/** Reads again which of the mail's duties are still open. */
async function tellOne(
  tools: MailTools,
  { userId, day }: { userId: number; day: string },
  id: JobId,
  attempt: Attempt,
): Promise<void> {
  const { db, appUrl } = tools
  const { rows } = await sql<Reader & { name: string; email: string }>`
    select id, role, name, email from users where id = ${userId} and ${CAN_BE_TOLD}`.execute(db)
  const [person] = rows
  if (!person) return
  const duties = await readDuties(
    db,
    person,
    sql<boolean>`(duties.responsible_id = ${person.id} and ${IS_OPEN} and duties.told_on = ${day}::date)`,
    day,
  )
  if (duties.length === 0) return
  const late = duties.filter(({ due_on: due }) => due < day).length
  const content = { duties: duties.slice(0, MOST_NAMED_DUTIES), total: duties.length, late }
  const link = appUrl + urls.yearList + writeDutyQuery({ ...ALL_DUTIES, person: person.id })
  await handOver(tools, dutyMail(await findOffice(db), person, content, { link, today: day }), id, attempt)
}

/** Deletes old records of mails. */
export async function purgeDutyMails(db: Database): Promise<void> {
  await sql`delete from duty_mails where day < current_date - 30`.execute(db)
}
