import { sql, type RawBuilder } from 'kysely'
import { IS_IN_SCOPE, lendingsTo } from '../../access/lent.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen, LENDER } from '../../access/seen.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'

/**
 * Selects the folders that can have new files for an adviser, each with the time after which files count as new: when it was
 * lent to them, by the first who did, or when they last marked everything as read.
 */
export function watchedByAdviser(adviser: Reader): RawBuilder<unknown> {
  const isLent = sql<boolean>`${isFolderSeen(LENDER)} and ${IS_IN_SCOPE}`
  return sql`(
    select seen.id, seen.project_id, seen.shared_at,
      case when seen.shared_at > seen.since then '-infinity' else seen.since end as since
    from (
      select folders.id, folders.project_id, case when folders.user_id is null then folders.shared_at end as shared_at,
        greatest(lent.since, (
          select seen_at from lent_seen where adviser_id = ${adviser.id} and project_id = folders.project_id
        ), (
          select seen_at from lent_seen where adviser_id = ${adviser.id} and lender_id = folders.user_id
        )) as since
      from (
        select id, min(since) as since from (
          select folders.id, greatest(lendings.created_at, members.since) as since
          from ${lendingsTo(adviser)} join project_members as members on members.user_id = lender.id
          join folders on folders.project_id = members.project_id where ${isLent}
          union all
          select folders.id, lendings.created_at
          from ${lendingsTo(adviser)} join folders on folders.user_id = lender.id where ${isLent}
        ) as ways group by id
      ) as lent join folders on folders.id = lent.id
    ) as seen) as watched`
}

/** Query: the projects of those who lend to an adviser, seen or not. */
export const lendersProjects = (adviser: Reader) => sql`
  select project_members.project_id from ${lendingsTo(adviser)} join project_members on project_members.user_id = lender.id`

/** Query: the folders of the own files of those who lend to an adviser, or of one of them, seen or not. */
export const lendersFolders = (adviser: Reader, lender?: number) => sql`
  select folders.id from ${lendingsTo(adviser)} join folders on folders.user_id = lender.id
  where ${lender === undefined ? sql`true` : sql`lender.id = ${lender}`}`

type Marked = { projects: RawBuilder<unknown>; lenders: RawBuilder<unknown> }

/** Marks what the adviser sees of these projects and lenders as read up to a time. Returns how many that were. */
async function mark(
  db: Database | Trx,
  adviser: Reader,
  until: RawBuilder<Date>,
  which: Marked,
): Promise<number> {
  const { rows } = await sql`
    insert into lent_seen (adviser_id, project_id, lender_id, seen_at)
    select ${adviser.id}, project_id, lender_id, ${until} from (
      select projects.id as project_id, null::bigint as lender_id from projects
      where projects.id in (${which.projects}) and ${isProjectSeen(adviser)}
      union all
      select null, folders.user_id from folders where folders.user_id in (${which.lenders}) and ${isFolderSeen(adviser)}
    ) as marked
    on conflict on constraint lent_seen_key do update set seen_at = greatest(lent_seen.seen_at, excluded.seen_at)
    returning adviser_id`.execute(db)
  return rows.length
}

const NONE = sql`select null::bigint where false`

export const markLentProject = (db: Database, adviser: Reader, project: number, until: RawBuilder<Date>) =>
  mark(db, adviser, until, { projects: sql`select ${project}::bigint`, lenders: NONE })

export const markLender = (db: Database, adviser: Reader, lender: number, until: RawBuilder<Date>) =>
  mark(db, adviser, until, { projects: NONE, lenders: sql`select ${lender}::bigint` })

export const markAllLent = (db: Database, adviser: Reader, until: RawBuilder<Date>) =>
  mark(db, adviser, until, {
    projects: lendersProjects(adviser),
    lenders: sql`select lender.id from ${lendingsTo(adviser)}`,
  })
