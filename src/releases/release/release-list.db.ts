import { sql, type RawBuilder } from 'kysely'
import { JOIN_OUTSIDE_READERS, OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import { IS_OF_SHOWN } from '../../projects/news/news.db.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { notFound } from '../../server/http/errors.ts'
import type { OwnRelease, Release, ReleaseRow, UnmailedRelease } from './release.ts'
import { NO_RELEASE } from '../approval/locked-release.db.ts'
import { withName, type Unnamed } from './release-name.ts'
import { NAMING } from './release-name.db.ts'

const OF_RELEASE = filesOf(sql`releases.submission_id`)

const LIVE_FILES = sql`select count(*)::integer from ${OF_RELEASE} where files.deleted_at is null`

/** Condition on releases: somebody outside the office sees it by now, since a folder was shared or a member came. */
const IS_SEEN_NOW = sql<boolean>`exists (
  select from ${OF_RELEASE} join folders on folders.id = files.folder_id ${JOIN_OUTSIDE_READERS}
  where files.deleted_at is null)`

/** Query of `releases`: the people outside the office who have opened some of it. */
const OPENERS = sql`
  select distinct file_reads.user_id from ${OF_RELEASE}
  join file_reads on file_reads.file_id = files.id and ${IS_OF_SHOWN}
  join users on users.id = file_reads.user_id and users.role = any (${OUTSIDE_ROLES})`

/**
 * Lists the releases that wait for a colleague, then the others, the newest first. Leaves out what concerns the office alone: published without reaching anybody, or a
 * draft without files.
 */
export async function listReleases(db: Database, query: ListQuery): Promise<Page<ReleaseRow>> {
  return readPage(db, query, {
    id: sql<number>`releases.id`,
    found: sql`from releases
      where case state when 'published' then reached > 0 or ${IS_SEEN_NOW} when 'recalled' then true else exists (
        select from ${OF_RELEASE} where files.deleted_at is null) end
        and ${isReleaseFound(query.q)}`,
    order: sql`releases.state = 'waiting' desc, releases.made_at desc, releases.id desc`,
    read: async (ids) => {
      const { rows } = await sql<Unnamed<ReleaseRow>>`
        select releases.id, ${NAMING} as naming, releases.state, releases.made_at, makers.name as made_by, releases.publish_at,
          releases.published_at, (${LIVE_FILES}) as files_count,
          places.first as place, coalesce(places.many, 0)::integer as places,
          case when releases.state = 'published' then (
            select count(*)::integer from (
              select users.id from folders ${JOIN_OUTSIDE_READERS}
              where folders.id in (select folder_id from ${OF_RELEASE} where files.deleted_at is null)
              union ${OPENERS}
            ) as people
          ) else releases.reached end as reached, (select count(*)::integer from (${OPENERS}) as openers) as opened
        from releases
        join users as makers on makers.id = releases.made_by
        left join lateral (
          select min(name) as first, count(*) as many from (
            select distinct coalesce(projects.name, users.name) as name
            from ${OF_RELEASE} join folders on folders.id = files.folder_id
            left join projects on projects.id = folders.project_id
            left join users on users.id = folders.user_id
          ) as names
        ) as places on true
        where releases.id = any (${ids})`.execute(db)
      return rows.map(withName<ReleaseRow>)
    },
  })
}

/** Condition on releases: the name that the office gave it, a file, or the project or person it belongs to, is found. */
function isReleaseFound(q: string): RawBuilder<boolean> {
  if (q === '') return sql<boolean>`true`
  return sql<boolean>`(${isFound(sql`search_key(coalesce(releases.name, ''))`, q)} or exists (
    select from ${OF_RELEASE} join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where (${isFound(sql<string>`files.search`, q)}
      or ${isFound(sql<string>`projects.search`, q)} or ${isFound(sql<string>`users.search`, q)})))`
}

/** Reads a release. Throws not-found if there is none. */
export async function readRelease(db: Database, id: number, regretMinutes: number): Promise<Release> {
  const { rows } = await sql<Unnamed<Release>>`
    select releases.id, ${NAMING} as naming, releases.state, releases.made_at, makers.name as made_by,
      releases.publish_at, releases.published_at, publishers.name as published_by, releases.reached,
      releases.recalled_at, recallers.name as recalled_by, releases.announced_at,
      releases.message, releases.is_for_everybody,
      releases.published_at + make_interval(mins => ${regretMinutes}) as announces_at,
      coalesce(releases.state = 'planned' and releases.publish_at < now() - interval '2 minutes', false) as is_late, (${LIVE_FILES}) as files_count,
      (select count(*)::integer from ${OF_RELEASE} where files.deleted_at is null and files.version_at > '-infinity') as versions_count
    from releases
    join users as makers on makers.id = releases.made_by
    left join users as publishers on publishers.id = releases.published_by
    left join users as recallers on recallers.id = releases.recalled_by
    where releases.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw notFound(NO_RELEASE)
  return withName<Release>(row)
}

/** Throws not-found if there is no such release. */
export async function checkRelease(db: Database, id: number): Promise<void> {
  const { rows } = await sql`select from releases where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound(NO_RELEASE)
}

/** The id of the release that a submission made; null for what investors send, and from before there were releases. */
export async function findReleaseOf(db: Database, reader: Reader, key: string): Promise<OwnRelease | null> {
  const { rows } = await sql<OwnRelease>`
    select releases.id, releases.state, releases.state = 'published' and announced_at is null as can_regret
    from releases join submissions on submissions.id = releases.submission_id
    where submissions.user_id = ${reader.id} and submissions.key = ${key}`.execute(db)
  return rows[0] ?? null
}

/** How many releases the start page offers to take back. */
const MOST_UNTOLD = 3

/** Lists the newest published releases that can still be withdrawn before anybody is mailed. */
export async function listUnmailedReleases(db: Database, regretMinutes: number): Promise<UnmailedRelease[]> {
  const { rows } = await sql<Unnamed<UnmailedRelease>>`
    select releases.id, ${NAMING} as naming, releases.published_at, users.name as published_by, (${LIVE_FILES}) as files_count,
      releases.published_at + make_interval(mins => ${regretMinutes}) as announces_at
    from releases join users on users.id = releases.published_by
    where releases.state = 'published' and announced_at is null and reached > 0
    order by releases.published_at desc limit ${MOST_UNTOLD}`.execute(db)
  return rows.map(withName<UnmailedRelease>)
}
