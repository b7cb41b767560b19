import { sql, type RawBuilder } from 'kysely'
import type { Act } from '../../log/words/act.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'
import { claimEach } from '../../server/work/claim.db.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { withTexts, type Moments } from '../release/release.ts'
import type { Mailing, MailingKind } from './mailing.ts'

/** The subject of mails; `mailing` is one that is about nothing else. */
type About = { release: number } | { import: number } | { lending: number } | { mailing: number }

const idsOf = (about: About | null) => ({
  release_id: about && 'release' in about ? about.release : null,
  import_id: about && 'import' in about ? about.import : null,
  lending_id: about && 'lending' in about ? about.lending : null,
})

const IS_ALONE = sql<boolean>`num_nonnulls(mailings.release_id, mailings.import_id, mailings.lending_id) = 0`

function isAbout(about: About): RawBuilder<boolean> {
  if ('mailing' in about) return sql<boolean>`mailings.id = ${about.mailing} and ${IS_ALONE}`
  const [column, id] = Object.entries(idsOf(about)).find(([, each]) => each !== null)!
  return sql<boolean>`${sql.ref(`mailings.${column}`)} = ${id}`
}

const ABOUT = sql<number>`coalesce(release_id, import_id, lending_id, mailings.id)`

const IS_WAITING = sql<boolean>`mailings.left_at is null and mailings.regretted_at is null`

/** The detail of an entry of the log: 'reminder 12 287' for 287 people of release 12. */
const detailOf = (kind: MailingKind, about: About, people: number) =>
  [kind, ...Object.values(about), people].join(' ')

type Asker = { actor: Actor; reader: { id: number } }

/**
 * Asks for mails to several people. Every act that mails more than one person outside the office does it in this way, apart
 * from publishing, whose release waits in the same manner. Whoever calls it has locked what the mails are about. Mails about
 * nothing but themselves are regretted each for themselves.
 */
export async function askForMails(
  trx: Trx,
  { actor, reader }: Asker,
  kind: MailingKind,
  about: About | null,
  userIds: readonly number[],
  message = '',
): Promise<void> {
  if (about !== null) {
    const { rows } = await sql`
      select from mailings where kind = ${kind} and ${isAbout(about)} and ${IS_WAITING}`.execute(trx)
    if (rows.length > 0) throw conflict('Mailen er der allerede bedt om. Den venter på at blive sendt.')
  }
  const { id } = await trx
    .insertInto('mailings')
    .values({
      kind,
      ...idsOf(about),
      user_ids: [...userIds],
      message,
      asked_by: reader.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const detail = detailOf(kind, about ?? { mailing: id }, userIds.length)
  await addLogEntry(trx, actor, 'mails-asked', { detail })
}

/** Asks for mails to several people, or adds them to those of the same kind that wait. */
export async function askForMoreMails(
  trx: Trx,
  visit: Asker,
  kind: MailingKind,
  about: About,
  userIds: readonly number[],
): Promise<void> {
  const { numAffectedRows } = await sql`
    update mailings set user_ids = array(select distinct id from unnest(user_ids || ${[...userIds]}::bigint[]) as all_of (id))
    where kind = ${kind} and ${isAbout(about)} and ${IS_WAITING}`.execute(trx)
  if (numAffectedRows === 0n) await askForMails(trx, visit, kind, about, userIds)
}

/** Condition on `users`: a mail of these kinds waits to be sent to them. */
export const isMailWaiting = (kinds: readonly MailingKind[]) => sql<boolean>`(users.id in (
  select unnest(mailings.user_ids) from mailings where ${IS_WAITING} and mailings.kind = any (${kinds})))`

/** Says whether mails about something wait. */
export async function areMailsWaiting(trx: Trx, about: About): Promise<boolean> {
  const { rows } = await sql`select from mailings where ${isAbout(about)} and ${IS_WAITING}`.execute(trx)
  return rows.length > 0
}

/** Withdraws the mails about something that have not left. Returns how many people they would have gone to. */
export async function regretMails(trx: Trx, actor: Actor, about: About): Promise<number> {
  const { rows } = await sql<{ kind: MailingKind; people: number }>`
    update mailings set regretted_at = now(), regretted_by = ${actor.userId}
    where ${isAbout(about)} and ${IS_WAITING}
    returning kind, cardinality(user_ids) as people`.execute(trx)
  for (const { kind, people } of rows)
    await addLogEntry(trx, actor, 'mails-regretted', { detail: detailOf(kind, about, people) })
  return rows.reduce((sum, { people }) => sum + people, 0)
}

async function readMailings(
  db: Database,
  regretMinutes: number,
  which: RawBuilder<unknown>,
): Promise<Mailing[]> {
  const { rows } = await sql<Moments<Mailing>>`
    select mailings.id, mailings.kind, ${ABOUT} as about,
      coalesce(left_to, cardinality(user_ids)) as people, askers.name as asked_by, asked_at,
      asked_at + make_interval(mins => ${regretMinutes}) as leaves_at, left_at, regretted_at,
      regretters.name as regretted_by
    from mailings join users as askers on askers.id = mailings.asked_by
    left join users as regretters on regretters.id = mailings.regretted_by
    where ${which}`.execute(db)
  return rows.map(withTexts<Mailing>)
}

/** Most mailings that a page lists. */
const MOST_TOLD = 20

/** Lists the newest mails to several people about something, those that wait first. */
export const listMailings = (db: Database, about: About, regretMinutes: number): Promise<Mailing[]> =>
  readMailings(
    db,
    regretMinutes,
    sql`${isAbout(about)} order by ${IS_WAITING} desc, mailings.id desc limit ${MOST_TOLD}`,
  )

/** Lists the mails of some kinds that can still be regretted. */
export const listWaitingMailings = (
  db: Database,
  kinds: readonly MailingKind[],
  regretMinutes: number,
): Promise<Mailing[]> =>
  readMailings(
    db,
    regretMinutes,
    sql`${IS_WAITING} and kind = any (${kinds}) order by mailings.id desc limit ${MOST_TOLD}`,
  )

/** Mails that leave now: to whom they were asked for, by whom, and with which words. */
type Leaving = { about: number; userIds: number[]; message: string; actor: Actor }

/** Queues the mails of a kind, to those of the people for whom there still is a reason. Returns how many. */
export type QueueMails = (trx: Trx, jobs: Jobs, leaving: Leaving) => Promise<number>

const ACT_OF: Record<MailingKind, Act | null> = {
  reminder: 'release-reminded',
  again: 'release-told-again',
  recall: 'release-openers-told',
  // The log says of each person that they are invited, or have got access.
  invitations: null,
  'invited-people': null,
  lending: null,
}

/** Lets the mails leave whose time for regret has passed, each mailing in its own transaction. */
export async function sendMailings(
  db: Database,
  jobs: Jobs,
  regretMinutes: number,
  queues: Partial<Record<MailingKind, QueueMails>>,
): Promise<void> {
  const kinds = Object.keys(queues)
  const rows = sql<{
    id: number
    kind: MailingKind
    about: number
    user_ids: number[]
    message: string
    asked_by: number
  }>`
    select id, kind, ${ABOUT} as about, user_ids, message, asked_by from mailings
    where ${IS_WAITING} and kind = any (${kinds}) and asked_at <= now() - make_interval(mins => ${regretMinutes}::integer)
    order by id`
  await claimEach(db, { rows }, async (trx, { id, kind, about, user_ids: userIds, message, ...mailing }) => {
    const actor = { userId: mailing.asked_by, address: null }
    const people = await queues[kind]!(trx, jobs, { about, userIds, message, actor })
    await sql`update mailings set left_at = now(), left_to = ${people} where id = ${id}`.execute(trx)
    const act = ACT_OF[kind]
    if (act !== null) await addLogEntry(trx, actor, act, { detail: `${about} ${people}` })
  })
}
