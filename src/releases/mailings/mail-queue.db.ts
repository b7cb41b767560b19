import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { MailRate } from '../../accounts/users/mail-rate.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Attempt, Job, JobId, Jobs } from '../../server/work/jobs.ts'
import { tellOutcome, type Mail, type MailTools } from '../../server/mail.ts'
import { mailReason } from '../../server/mail-reason.ts'
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
  /** Joins `people` with `things`, and selects those who have not been mailed yet. */
  isWaiting: RawBuilder<boolean>
  /** Condition on `things` and `users`. */
  isDue: RawBuilder<boolean>
}

/** How many rows one transaction takes. */
const ROWS_AT_ONCE = 1000

/** Queues a mail to each person who is due, about everything that they wait for. Returns whether there was anybody. */
export async function queueMailsTo(
  trx: Trx,
  jobs: Jobs,
  job: Job<{ userId: number }>,
  { people, things, isWaiting, isDue }: Waiting,
): Promise<boolean> {
  const { rows } = await sql<{ user_id: number }>`
    select people.user_id from ${people} as people join ${things} as things on ${isWaiting}
    join users on users.id = people.user_id
    where people.mail_id is null and ${isDue}
    limit ${ROWS_AT_ONCE} for update of people skip locked`.execute(trx)
  if (rows.length === 0) return false
  const userIds = [...new Set(rows.map((row) => row.user_id))]
  const mails = userIds.map((userId) => ({ id: randomUUID(), data: { userId } }))
  // Given as lists, since PostgreSQL then knows their length and chooses a fast plan.
  await sql`
    update ${people} as people set mail_id = mails.id
    from unnest(${mails.map(({ id }) => id)}::uuid[], ${userIds}::bigint[]) as mails (id, user_id), ${things} as things
    where people.user_id = mails.user_id and people.mail_id is null and ${isWaiting}`.execute(trx)
  await jobs.enqueueMany(trx, job, mails)
  return true
}

type Delivery = { outcome: 'sent' } | { outcome: 'failed'; reason: string }

/** Hands a mail to the mail server. It has failed if it is refused for good. */
export async function handOver(
  { mailer, watch }: Pick<MailTools, 'mailer' | 'watch'>,
  mail: Mail,
  id: JobId,
  attempt: Attempt,
  onUnsent?: () => Promise<void>,
): Promise<Delivery> {
  let reason: string | null = null
  await tellOutcome(watch, mail.to, id, attempt, async () => {
    try {
      await mailer.deliver(mail, id)
    } catch (error) {
      reason = mailReason(error)
      await onUnsent?.()
      throw error
    }
  })
  // Throws nothing if the mail was refused for good.
  return reason === null ? { outcome: 'sent' } : { outcome: 'failed', reason }
}
