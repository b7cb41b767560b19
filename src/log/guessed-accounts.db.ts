import { sql } from 'kysely'
import type { Database, Trx } from '../server/database/database.ts'

/** At most this many mails a day about accounts in all, so that somebody who tries every account cannot fill mailboxes. */
const MOST_TOLD = 10

/**
 * Records that somebody guesses an account's password, for the notice on the start page. Returns whether to mail
 * administrators now: at most once a day about each account.
 */
export async function addGuessedAccount(trx: Trx, userId: number): Promise<boolean> {
  const { rows: noted } = await sql`
    insert into guessed_accounts (user_id) values (${userId})
    on conflict (user_id) do update set seen_at = now(),
      since = case when guessed_accounts.seen_at < now() - interval '1 day' then now() else guessed_accounts.since end
    where guessed_accounts.seen_at < now() - interval '1 minute'
    returning user_id`.execute(trx)
  if (noted.length === 0) return false
  const { rows: told } = await sql`
    update guessed_accounts set told_at = now()
    where user_id = ${userId} and coalesce(told_at < now() - interval '1 day', true)
      and (select count(*) from guessed_accounts where told_at > now() - interval '1 day') < ${MOST_TOLD}
    returning user_id`.execute(trx)
  return told.length > 0
}

/** Forgets accounts that nobody has tried for a day. */
export async function purgeGuessedAccounts(db: Database): Promise<void> {
  await sql`
    delete from guessed_accounts
    where seen_at < now() - interval '1 day' and coalesce(told_at < now() - interval '1 day', true)`.execute(
    db,
  )
}
