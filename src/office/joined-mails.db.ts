import { sql } from 'kysely'
import { emailKey } from '../base/text.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { claimEach } from '../server/work/claim.db.ts'
import type { Jobs } from '../server/work/jobs.ts'
import { sendMail, type Mail } from '../server/mail.ts'

/** Minutes between two mails of one cause to one address. */
const MINUTES_BETWEEN = 10

type Notice = {
  to: string
  /**
   * The subject of the mail: 'lending'. Mails of one cause are joined. One about somebody's login begins with 'login:'.
   */
  cause: string
  /** The person who caused it, whose mails take turns with others'. */
  causer: number | null
}

/**
 * Mails somebody about acts that may be repeated. The first mail leaves at once. Those within the next minutes become
 * one mail, which `compose` writes for their number.
 */
export async function sendJoinedMail(
  trx: Trx,
  jobs: Jobs,
  { to, cause, causer }: Notice,
  compose: (times: number) => Mail,
): Promise<void> {
  const address = emailKey(to)
  // Locks the row, or makes it.
  const { rows } = await sql<{ times: number }>`
    insert into joined_mails (address, cause) values (${address}, ${cause})
    on conflict (address, cause) do update set
      times = case when joined_mails.mail is null and ${HAS_RESTED} then 0 else joined_mails.times + 1 end,
      left_at = case when joined_mails.mail is null and ${HAS_RESTED} then now() else joined_mails.left_at end
    returning times`.execute(trx)
  const { times } = rows[0]!
  if (times === 0) {
    await sendMail(trx, jobs, compose(1), { causer, isSecurity: isSecurity(cause) })
    return
  }
  await sql`
    update joined_mails set mail = ${JSON.stringify(compose(times))}::jsonb, causer = ${causer}
    where address = ${address} and cause = ${cause}`.execute(trx)
}

const isSecurity = (cause: string) => cause.startsWith('login:')

const HAS_RESTED = sql<boolean>`(joined_mails.left_at <= now() - make_interval(mins => ${sql.lit(MINUTES_BETWEEN)}))`

/** Lets the mails leave that have waited long enough. */
export async function sendRestedMails(db: Database, jobs: Jobs): Promise<void> {
  const rows = sql<{ address: string; cause: string; mail: Mail; causer: number | null }>`
    select address, cause, mail, causer from joined_mails where mail is not null and ${HAS_RESTED} order by left_at`
  await claimEach(db, { rows }, async (trx, { address, cause, mail, causer }) => {
    await sendMail(trx, jobs, mail, { causer, isSecurity: isSecurity(cause) })
    await sql`
      update joined_mails set mail = null, times = 0, left_at = now()
      where address = ${address} and cause = ${cause}`.execute(trx)
  })
}

/** Forgets when mails left that nobody can be joined with any more. */
export async function purgeJoinedMails(db: Database): Promise<void> {
  await sql`delete from joined_mails where mail is null and ${HAS_RESTED}`.execute(db)
}
