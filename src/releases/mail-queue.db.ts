import { sql, type RawBuilder } from 'kysely'
import type { MailRate } from '../accounts/mail-rate.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { Attempt, Job, JobId, Jobs } from '../server/jobs.ts'
import { MailRefused, tellOutcome, type Mail, type Mailer, type MailWatch } from '../server/mail.ts'
import type { Turns } from './mail-turns.ts'

/** Condition on `users` and on `things` that are announced: the person wants a mail about it by now. */
export function isTurn(turns: Turns): RawBuilder<boolean> {
  return sql<boolean>`(users.mail_rate = ${'at-once' satisfies MailRate}
    or users.mail_rate = ${'daily' satisfies MailRate} and things.announced_at <= ${turns.daily}
    or users.mail_rate = ${'weekly' satisfies MailRate} and things.announced_at <= ${turns.weekly})`
}

type Waiting = {
  /** The table of who waits for a mail about what, with `user_id` and `mail_id`. */
  people: RawBuilder<unknown>
  things: RawBuilder<unknown>
  /** Joins `people` with `things`, and says who has not been told yet. */
  isWaiting: RawBuilder<boolean>
  /** Condition on `things` and `users`. */
  isDue: RawBuilder<boolean>
}

/** How many rows one transaction takes. */
const A_HANDFUL = 1000

/** Queues a mail to each person who is due, about everything that they wait for. Returns whether there was anybody. */
export async function queueMailsTo(
  trx: Trx,
  jobs: Jobs,
  job: Job<{ userId: number }>,
  { people, things, isWaiting, isDue }: Waiting,
): Promise<boolean> {
  const { rows } = await sql<{ id: string; user_id: number }>`
    with due as materialized (
      select people.user_id from ${people} as people join ${things} as things on ${isWaiting}
      join users on users.id = people.user_id
      where people.mail_id is null and ${isDue}
      limit ${A_HANDFUL} for update of people skip locked
    ), mails as materialized (
      select user_id, gen_random_uuid() as id from (select distinct user_id from due) as persons
    ), queued as (
      update ${people} as people set mail_id = mails.id from mails, ${things} as things
      where people.user_id = mails.user_id and people.mail_id is null and ${isWaiting}
    )
    select id, user_id from mails`.execute(trx)
  if (rows.length === 0) return false
  await jobs.enqueueMany(
    trx,
    job,
    rows.map(({ id, user_id: userId }) => ({ id, data: { userId } })),
  )
  return true
}

export type MailTools = {
  db: Database
  mailer: Mailer
  appUrl: string
  /** Returns the path that ends a person's mails. */
  stopPath: (userId: number) => string
  watch: MailWatch | undefined
}

/** Hands a mail to the mail server, with the way to end such mails. Returns 'failed' if it is refused for good. */
export async function handOver(
  { mailer, appUrl, stopPath, watch }: MailTools,
  person: { id: number; email: string },
  mail: Mail,
  id: JobId,
  attempt: Attempt,
  onUnsent?: () => Promise<void>,
): Promise<'sent' | 'failed'> {
  let isRefused = false
  await tellOutcome(watch, person.email, id, attempt, async () => {
    try {
      await mailer.deliver({ ...mail, stopUrl: appUrl + stopPath(person.id) }, id)
    } catch (error) {
      isRefused = error instanceof MailRefused
      await onUnsent?.()
      throw error
    }
  })
  return isRefused ? 'failed' : 'sent'
}
