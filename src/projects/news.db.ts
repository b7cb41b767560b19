import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isFolderSeen } from '../access/seen.db.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { hasOwnFiles, isOffice, seesSharedFoldersOnly } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { notFound } from '../server/http/errors.ts'
import { MOST_NEWS } from './news.ts'
import { NO_PROJECT, type ProjectWithNews } from './project.ts'
import { listProjects } from './projects.db.ts'

/**
 * The folders in which something can be new to somebody, each with the moment after which it is: when they became a
 * member, or last called everything read. All of a folder that was shared since then is new to investors; auditors have
 * seen it before.
 */
function watchedFolders(reader: Reader): RawBuilder<unknown> {
  const isShown = seesSharedFoldersOnly(reader.role)
  const since = sql`greatest(members.since, members.seen_at)`
  const ofProjects = sql`
    select folders.id, folders.project_id, ${isShown ? sql`folders.shared_at` : sql`null::timestamptz`} as shared_at,
      ${isShown ? sql`case when folders.shared_at > ${since} then '-infinity' else ${since} end` : since} as since
    from project_members as members join folders on folders.project_id = members.project_id
    where members.user_id = ${reader.id} and ${isFolderSeen(reader)}`
  if (!hasOwnFiles(reader.role)) return sql`(${ofProjects}) as watched`
  return sql`(${ofProjects} union all
    select folders.id, null, null, greatest(users.created_at, users.files_seen_at)
    from folders join users on users.id = folders.user_id where folders.user_id = ${reader.id}) as watched`
}

/** Condition on the files of a watched folder: not seen before, not their own, and not read. */
function isUnread({ id, role }: Reader): RawBuilder<boolean> {
  return sql<boolean>`(files.folder_id = watched.id and files.deleted_at is null and files.shown_at > watched.since
    ${seesSharedFoldersOnly(role) ? sql`` : sql`and files.created_at > watched.since`}
    and files.uploaded_by is distinct from ${id}
    and not exists (select from file_reads where file_reads.user_id = ${id} and file_reads.file_id = files.id))`
}

/** Whether a file is new to the reader. Nothing is to the office. */
export function isNewTo(reader: Reader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return sql<boolean>`false`
  return sql<boolean>`exists (select from ${watchedFolders(reader)} where ${isUnread(reader)})`
}

/** How many files are new, by project or folder. */
export type News = {
  counts: Map<number, number>
  /** When they were counted: what came later is not among them. Null: there are none. */
  until: string | null
}

/** Of all the reader's projects, or of some. */
export function countProjectNews(db: Database, reader: Reader, projects?: number[]): Promise<News> {
  const some = projects ? sql`and project_id = any (${projects})` : sql``
  return count(
    db,
    reader,
    sql`select project_id as key from project_members where user_id = ${reader.id} ${some}`,
    sql<boolean>`watched.project_id = keys.key`,
  )
}

/** Of each folder of a project. */
export function countFolderNews(db: Database, reader: Reader, projectId: number): Promise<News> {
  return count(
    db,
    reader,
    sql`select id as key from folders where project_id = ${projectId}`,
    sql<boolean>`watched.id = keys.key`,
  )
}

/** Of the reader's own files. */
export async function countOwnNews(
  db: Database,
  reader: Reader,
): Promise<{ count: number; until: string | null }> {
  const { counts, until } = await count(
    db,
    reader,
    sql`select id as key from folders where user_id = ${reader.id}`,
    sql<boolean>`watched.id = keys.key and watched.project_id is null`,
  )
  return { count: [...counts.values()][0] ?? 0, until }
}

async function count(
  db: Database,
  reader: Reader,
  keys: RawBuilder<unknown>,
  isOfKey: RawBuilder<boolean>,
): Promise<News> {
  if (isOffice(reader.role)) return { counts: new Map(), until: null }
  const { rows } = await sql<{ key: number; count: number; until: string }>`
    select keys.key, counted.count, ${UNTIL} as until
    from (${keys}) as keys cross join lateral (
      select count(*) from (
        select from ${watchedFolders(reader)} join files on ${isUnread(reader)}
        where ${isOfKey} limit ${MOST_NEWS + 1}
      ) as unread
    ) as counted
    where counted.count > 0`.execute(db)
  return { counts: new Map(rows.map((row) => [row.key, row.count])), until: rows[0]?.until ?? null }
}

/** Projects as they are listed. With the news of all of them, those that have some come first. */
export async function listProjectsWithNews(
  db: Database,
  reader: Reader,
  query: ListQuery,
  news?: News,
): Promise<Page<ProjectWithNews>> {
  const { data, meta } = await listProjects(db, reader, query, [...(news?.counts.keys() ?? [])])
  const { counts } =
    news ??
    (await countProjectNews(
      db,
      reader,
      data.map(({ id }) => id),
    ))
  return { data: data.map((project) => ({ ...project, new_count: counts.get(project.id) ?? 0 })), meta }
}

/** To the microsecond, as files have it. */
// What is being stored right now has the moment at which that began, and has not been seen: so it counts until right
// before the oldest of those that are under way.
const UNTIL = sql`to_char((
    select least(now(), min(xact_start)) - interval '1 microsecond'
    from pg_stat_activity where datname = current_database()
  ) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The files that are new, the newest first: their ids, and since when the reader can see each. */
export async function listNewest(
  db: Database,
  reader: Reader,
  most: number,
): Promise<{ id: number; at: Date }[]> {
  if (isOffice(reader.role)) return []
  const at = seesSharedFoldersOnly(reader.role) ? sql`shown_at` : sql`created_at`
  const { rows } = await sql<{ id: number; at: Date }>`
    select unread.id, greatest(unread.at, watched.shared_at) as at
    from ${watchedFolders(reader)} cross join lateral (
      select files.id, files.${at} as at, files.shown_at from files where ${isUnread(reader)}
      order by files.shown_at desc limit ${most}
    ) as unread
    order by at desc, unread.at desc, unread.id desc limit ${most}`.execute(db)
  return rows
}

/** The ids of what is new in some folders, each in the folder's own order: so many of each. */
export async function listFolderNews(
  db: Database,
  reader: Reader,
  folderIds: number[],
  most: number,
): Promise<number[]> {
  if (isOffice(reader.role) || folderIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select unread.id from ${watchedFolders(reader)} cross join lateral (
      select files.id from files where ${isUnread(reader)} order by files.position limit ${most}
    ) as unread
    where watched.id = any (${folderIds})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Everything up to a moment is read, of one project. */
export async function markProjectSeen(
  db: Database,
  reader: Reader,
  projectId: number,
  until: string | undefined,
): Promise<void> {
  const { rows } = await sql`
    update project_members set seen_at = ${seenAt(sql`seen_at`, until)}
    where user_id = ${reader.id} and project_id = ${projectId} returning project_id`.execute(db)
  if (rows.length === 0) throw notFound(NO_PROJECT)
}

/** The same of their own files. */
export async function markOwnSeen(
  db: Database | Trx,
  reader: Reader,
  until: string | undefined,
): Promise<void> {
  await sql`
    update users set files_seen_at = ${seenAt(sql`files_seen_at`, until)} where id = ${reader.id}`.execute(db)
}

export async function markAllSeen(db: Database, reader: Reader, until: string | undefined): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      update project_members set seen_at = ${seenAt(sql`seen_at`, until)}
      where user_id = ${reader.id}`.execute(trx)
    await markOwnSeen(trx, reader, until)
  })
}

/** What came after the page was made has not been seen; what has been called read stays so. */
function seenAt(before: RawBuilder<unknown>, until: string | undefined): RawBuilder<Date> {
  return sql<Date>`greatest(${before}, least(now(), ${until ?? null}::timestamptz))`
}
