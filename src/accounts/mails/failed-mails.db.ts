import { sql } from 'kysely'
import { emailKey } from '../../base/text.ts'
import { endNotice, raiseNotice } from '../../log/notices/notices.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import type { JobId } from '../../server/work/jobs.ts'
import type { MailWatch } from '../../server/mail.ts'

/** Shows the office a notice about mails that fail, and removes it once they are sent. */
export function watchMails(db: Database): MailWatch {
  const findUser = async (to: string) =>
    db.selectFrom('users').select('id').where('email_key', '=', emailKey(to)).executeTakeFirst()
  return {
    failed: async (to, jobId, { isFinal, isRefused }) => {
      await addFailedMail(db, jobId, (await findUser(to))?.id ?? null, isFinal)
      if (isRefused) await noteThatServerWorks(db)
    },
    sent: async (to, jobId) => {
      await noteThatServerWorks(db)
      await db.deleteFrom('failed_mails').where('job_id', '=', jobId).execute()
      const user = await findUser(to)
      if (user) await forgetFailedMails(db, user.id)
    },
  }
}

async function addFailedMail(
  db: Database,
  jobId: JobId,
  userId: number | null,
  isFinal: boolean,
): Promise<void> {
  await db
    .insertInto('failed_mails')
    .values({ job_id: jobId, user_id: userId, is_final: isFinal })
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ is_final: isFinal }))
    .execute()
  await tellOfFailedMails(db)
}

/** Forgets earlier failures: the mail server works again. */
async function noteThatServerWorks(db: Database): Promise<void> {
  await db.updateTable('failed_mails').set({ is_past: true }).where('is_past', '=', false).execute()
}

/**
 * Returns how many mails failed, and since when none was sent; null if the newest one was sent. A mail that was given
 * up counts for a day only, because perhaps nobody was written to since.
 */
export async function findFailingMails(
  db: Database | Trx,
): Promise<{ failed: number; failingSince: Date | null }> {
  const { rows } = await sql<{ failed: number; since: Date | null }>`
    select count(*) as failed,
      min(at) filter (where not is_past and (not is_final or at > now() - interval '1 day')) as since
    from failed_mails`.execute(db)
  return { failed: rows[0]!.failed, failingSince: rows[0]!.since }
}

/** Called when a mail has reached the people, is sent again, or is no longer needed. */
export async function forgetFailedMails(db: Database | Trx, users: number | number[]): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('failed_mails')
    .where('user_id', '=', sql<number>`any (${[users].flat()}::bigint[])`)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await tellOfFailedMails(db)
}

/** Forgets failed mails after 30 days: by then nobody waits for them. */
export async function purgeFailedMails(db: Database): Promise<void> {
  await db
    .deleteFrom('failed_mails')
    .where('at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
  await tellOfFailedMails(db)
}

async function tellOfFailedMails(db: Database | Trx): Promise<void> {
  const { count } = await db
    .selectFrom('failed_mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count > 0) await raiseNotice(db, 'mail-failing', { count })
  else await endNotice(db, 'mail-failing')
}
