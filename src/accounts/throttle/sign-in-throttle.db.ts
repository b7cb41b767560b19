import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { networkOf } from '../../server/http/address.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { emailKey } from '../../base/text.ts'
import { FREE_FAILURES, waitSeconds, WINDOW_MINUTES } from './sign-in-throttle.ts'

export type Attempt = { email: string; address: string; device: string | null }

/**
 * Counts an attempt before it is made, as if it failed. Returns how many seconds to wait, or 0 if the attempt may
 * go ahead. A browser that the person has signed in from before has its own counter only, so that strangers cannot
 * lock it out, not even from the same address.
 */
export async function beginAttempt(db: Database, attempt: Attempt): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const subjects = subjectsOf(attempt)
    let wait = 0
    // Locks in a fixed order, so that two attempts cannot deadlock.
    for (const { subject, free } of subjects.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))) {
      wait = Math.max(wait, await waitFor(trx, subject, free))
    }
    if (wait === 0)
      await trx
        .insertInto('sign_in_failures')
        .values(subjects.map(({ subject }) => ({ subject })))
        .execute()
    return wait
  })
}

/** Whether the account itself has been tried too often, not only the address that tries. */
export async function isAccountThrottled(trx: Trx, attempt: Attempt): Promise<boolean> {
  const [own] = subjectsOf(attempt)
  return (await waitFor(trx, own!.subject, own!.free)) > 0
}

/** Counts the accounts that have been tried too often within the last minutes. */
export async function countThrottledAccounts(db: Database | Trx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from sign_in_failures
      where subject like 'account:%' and at > now() - make_interval(mins => ${sql.lit(WINDOW_MINUTES)})
      group by subject having count(*) >= ${FREE_FAILURES.account}
    ) as throttled`.execute(db)
  return rows[0]!.count
}

/** Counts a request for a link. Returns how many seconds to wait, or 0 if it may go ahead. */
export async function countLinkRequest(db: Database, address: string): Promise<number> {
  const subject = `asking:${hashOf(networkOf(address))}`
  return db.transaction().execute(async (trx) => {
    const wait = await waitFor(trx, subject, FREE_FAILURES.linkRequests)
    if (wait === 0) await trx.insertInto('sign_in_failures').values({ subject }).execute()
    return wait
  })
}

/** Counts an investor's try to lend access to an e-mail. Returns false if there were `most` of them within a day. */
export async function countLendTry(db: Database, lender: number, most: number): Promise<boolean> {
  const subject = `lending:${lender}`
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 1))`.execute(trx)
    const { tries } = await trx
      .selectFrom('sign_in_failures')
      .select(({ fn }) => fn.countAll<number>().as('tries'))
      .where('subject', '=', subject)
      .where('at', '>', sql<Date>`now() - interval '1 day'`)
      .executeTakeFirstOrThrow()
    if (tries < most) await trx.insertInto('sign_in_failures').values({ subject }).execute()
    return tries < most
  })
}

/** Where a sign-in at a provider begins: the address, and the person whom the browser is known by. */
export type SignInOrigin = { address: string; person: number | null }

/**
 * Counts a sign-in at a provider when it begins, as if it failed: together with the wrong passwords of the address, or by
 * itself in a browser that is known. Returns how many seconds to wait, or 0 if it may go ahead.
 */
export async function countProviderSignIn(db: Database, from: SignInOrigin): Promise<number> {
  const { subject, free } = originSubject(from)
  return db.transaction().execute(async (trx) => {
    const wait = await waitFor(trx, subject, free)
    if (wait === 0) await trx.insertInto('sign_in_failures').values({ subject }).execute()
    return wait
  })
}

/** Forgets what was counted for a sign-in that has succeeded. */
export async function uncountProviderSignIn(trx: Trx, from: SignInOrigin): Promise<void> {
  await forgetLatest(trx, originSubject(from).subject)
}

function originSubject({ address, person }: SignInOrigin): { subject: string; free: number } {
  return person === null
    ? { subject: `address:${hashOf(networkOf(address))}`, free: FREE_FAILURES.address }
    : { subject: `elsewhere:${person}`, free: FREE_FAILURES.elsewhere }
}

/**
 * Forgets the failures of the person or the browser after a successful attempt, and this one attempt of the
 * address.
 */
export const forgetFailures = transactional(forgetFailuresWithin)

async function forgetFailuresWithin(trx: Trx, attempt: Attempt): Promise<void> {
  const [own, address] = subjectsOf(attempt)
  await trx.deleteFrom('sign_in_failures').where('subject', '=', own!.subject).execute()
  if (address) await forgetLatest(trx, address.subject)
}

async function forgetLatest(trx: Trx, subject: string): Promise<void> {
  await trx
    .deleteFrom('sign_in_failures')
    .where('id', '=', (where) =>
      where
        .selectFrom('sign_in_failures')
        .select('id')
        .where('subject', '=', subject)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
}

export async function purgeFailures(db: Database): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

async function waitFor(trx: Trx, subject: string, free: number): Promise<number> {
  // Counts simultaneous attempts one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 1))`.execute(trx)
  const { failures, since } = await trx
    .selectFrom('sign_in_failures')
    .select(({ fn }) => [
      fn.countAll<number>().as('failures'),
      sql<number>`coalesce(extract(epoch from clock_timestamp() - max(at)), 0)::float`.as('since'),
    ])
    .where('subject', '=', subject)
    .where('at', '>', sql<Date>`now() - make_interval(mins => ${sql.lit(WINDOW_MINUTES)})`)
    .where('at', '<', sql<Date>`now() + interval '1 minute'`) // skips rows left by a clock that was ahead
    .executeTakeFirstOrThrow()
  return Math.max(0, Math.ceil(waitSeconds(failures, free) - since))
}

// Hashes the e-mail, so that a password typed there by mistake is not stored.
function subjectsOf({ email, address, device }: Attempt): { subject: string; free: number }[] {
  const key = hashOf(emailKey(email))
  if (device) return [{ subject: `device:${device}:${key}`, free: FREE_FAILURES.device }]
  return [
    { subject: `account:${key}`, free: FREE_FAILURES.account },
    { subject: `address:${hashOf(networkOf(address))}`, free: FREE_FAILURES.address },
  ]
}

const hashOf = (text: string) => hash('sha256', text)
