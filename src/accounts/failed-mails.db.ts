import { sql, type Generated } from 'kysely'
import { emailKey } from '../base/text.ts'
import { endNotice, raiseNotice } from '../log/notices.db.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { JobId } from '../server/jobs.ts'
import type { MailWatch } from '../server/mail.ts'

declare module '../server/database/database.ts' {
  interface Tables {
    failed_mails: { job_id: string; user_id: number | null; at: Generated<Date>; is_final: boolean }
  }
}

/** Shows the office a notice about mails that fail, and removes it once they are sent. */
export function watchMails(db: Database): MailWatch {
  const findUser = async (to: string) =>
    db.selectFrom('users').select('id').where('email_key', '=', emailKey(to)).executeTakeFirst()
  return {
    failed: async (to, jobId, isFinal) => addFailedMail(db, jobId, (await findUser(to))?.id ?? null, isFinal),
    sent: async (to, jobId) => {
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

/** For when a mail has reached the person, is sent again, or is no longer wanted. */
export async function forgetFailedMails(db: Database | Trx, userId: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('failed_mails')
    .where('user_id', '=', userId)
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
