import { sql } from 'kysely'
import { OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import { filesOf as submitted } from '../../files/versions/shown.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { MOST_NAMED } from '../mail/release-mail.ts'
import type { OpenedFiles } from '../mail/recall-mail.ts'
import { withTexts, type Moments, type Opener, type Opening } from './release.ts'

/**
 * Query: the files of a release, each with the version that came with it, also those that were removed for good. A version
 * without a number was never shown.
 */
const filesOf = (id: number) => sql`
  select files.id, files.name, files.version
  from releases join ${submitted(sql`releases.submission_id`)} on files.version is not null where releases.id = ${id}
  union all select file_id, name, version from removed_release_files where release_id = ${id}`

/** Part of a query: the times that people outside the office opened or downloaded files of a release. */
const openingsOf = (id: number) => sql`
  (${filesOf(id)}) as released
  join log on log.file_id = released.id and log.act in ('file-opened', 'file-downloaded')
    and log.as_user_id is null and log.detail is not distinct from nullif(released.version, 1)::text
  join users on users.id = log.user_id and users.role = any (${OUTSIDE_ROLES})`

/** Lists each time that somebody outside the office opened or downloaded a file of the release, oldest first. */
export async function listOpenings(db: Database, id: number, most: number, offset = 0): Promise<Opening[]> {
  const { rows } = await sql<Omit<Opening, 'at'> & { at: Date }>`
    select log.id, log.at, users.name, released.name as file, log.act = 'file-downloaded' as is_download
    from ${openingsOf(id)} order by log.id limit ${most} offset ${offset}`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

/** Counts those times. */
export async function countOpenings(db: Database, id: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from ${openingsOf(id)}`.execute(db)
  return rows[0]!.total
}

/** How many of those who had opened files are listed on the page. */
const MOST_OPENERS = 200

/** Condition on `recall_mails`: it was asked for since the latest recall. */
const IS_ABOUT_THIS = sql<boolean>`coalesce(recall_mails.asked_at >= releases.recalled_at, false)`

/** Condition on `users` and `recall_mails`: could be written to now. */
export const IS_UNMAILED = sql<boolean>`users.deactivated_at is null
  and not (${IS_ABOUT_THIS} and coalesce(recall_mails.outcome, 'sent') = 'sent')`

/** Query: people who had opened files of a release, with the latest mail to them about its recall. */
export const openersOf = (id: number) => sql`
  (select distinct users.id from ${openingsOf(id)}) as openers
  join users on users.id = openers.id
  join releases on releases.id = ${id}
  left join recall_mails on recall_mails.release_id = releases.id and recall_mails.user_id = users.id`

/** Lists who had opened files of a recalled release, and counts those who can be written to. */
export async function listOpeners(
  db: Database,
  id: number,
): Promise<{ rows: Opener[]; total: number; untold: number }> {
  type Row = Moments<Opener> & { total: number; untold: number }
  const { rows } = await sql<Row>`
    select users.id, users.name, users.deactivated_at is null as is_active,
      case when ${IS_ABOUT_THIS} then coalesce(recall_mails.outcome, 'waiting') end as mail,
      case when ${IS_ABOUT_THIS} then recall_mails.told_at end as told_at,
      case when ${IS_ABOUT_THIS} then recall_mails.reason end as reason,
      count(*) over ()::integer as total, count(*) filter (where ${IS_UNMAILED}) over ()::integer as untold
    from ${openersOf(id)}
    order by users.name collate danish, users.id limit ${MOST_OPENERS}`.execute(db)
  return {
    rows: rows.map(({ total: _total, untold: _untold, ...row }) => withTexts<Opener>(row)),
    total: rows[0]?.total ?? 0,
    untold: rows[0]?.untold ?? 0,
  }
}

/** Lists the files of a release that a person had opened, by name. */
export async function listOpenedBy(db: Database | Trx, id: number, person: number): Promise<OpenedFiles> {
  const { rows } = await sql<{ name: string; total: number }>`
    select name, count(*) over ()::integer as total from (
      select distinct released.id, released.name from ${openingsOf(id)} where users.id = ${person}
    ) as opened order by name collate danish, id limit ${MOST_NAMED}`.execute(db)
  return { names: rows.map(({ name }) => name), total: rows[0]?.total ?? 0 }
}
