import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { User } from '../accounts/users/user.ts'
import { findOffice } from '../office/office.db.ts'
import { handOver } from '../releases/mailings/mail-queue.db.ts'
import { queue } from '../jobs.ts'
import { isAdministrator, rolesThat } from '../rights.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import type { Jobs } from '../server/work/jobs.ts'
import type { MailTools } from '../server/mail.ts'
import { urls } from '../urls.ts'
import type { Facts } from './facts.ts'
import { troubleMail } from './trouble-mail.ts'
import { findTrouble, saveTroubles } from './troubles.db.ts'

const TELL_TROUBLE = queue<{ userId: number; kind: string; place: string }>('tell-trouble')

/** Names the instance, as each has its own disk. */
export const instanceOf = (dataDir: string) => `${dataDir} on ${hostname()}`

/** Condition on `users`: an administrator who wants these mails. */
const WANTS_MAILS = sql<boolean>`(told_of_troubles and role = any (${rolesThat(isAdministrator)})
  and deactivated_at is null and has_way_in(users))`

/** Stores the current troubles, and queues mails about new ones. */
export const tellOfTroubles = transactional(
  async (trx: Trx, jobs: Jobs, instance: string, facts: Facts): Promise<void> => {
    const toTell = await saveTroubles(trx, instance, facts)
    if (toTell.length === 0) return
    const { rows } = await sql<{ id: number }>`select id from users where ${WANTS_MAILS} order by id`.execute(
      trx,
    )
    for (const key of toTell)
      for (const { id: userId } of rows) await jobs.enqueue(trx, TELL_TROUBLE, { userId, ...key })
  },
)

/** Starts sending the queued mails to administrators. */
export async function mailTroubles(jobs: Jobs, tools: MailTools & { timeZone: string }): Promise<void> {
  await jobs.work(TELL_TROUBLE, async ({ userId, kind, place }, id, attempt) => {
    const { db, appUrl, timeZone } = tools
    const [person, kept] = [await findRecipient(db, userId), await findTrouble(db, { kind, place })]
    if (!person || !kept) return
    // Mails that failed are worth knowing of afterwards too; by then others may have waited for them.
    if (kept.endedAt !== null && kept.trouble.kind !== 'mails-failing') return
    const when = { now: new Date().toISOString(), timeZone }
    const mail = troubleMail(await findOffice(db), person, appUrl + urls.status, kept, when)
    await handOver(tools, mail, id, attempt)
  })
}

async function findRecipient(db: Database, userId: number): Promise<User | null> {
  const { rows } = await sql<User>`
    select id, name, email, role from users where id = ${userId} and ${WANTS_MAILS}`.execute(db)
  return rows[0] ?? null
}
