import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen } from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { hasOwnFiles, isLentTo, isOffice, seesSharedFoldersOnly } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import {
  lendersFolders,
  lendersProjects,
  markAllLent,
  markLender,
  markLentProject,
  watchedByAdviser,
} from './lent-news.db.ts'
import { MOST_NEWS } from './news.ts'
import { NO_PROJECT, type ProjectWithNews } from '../project/project.ts'
import { listProjects } from '../project/projects.db.ts'

/**
 * Selects the folders that can have new files for a reader, each with the time after which files count as new: when
 * the reader became a member, or last marked everything as read. If a folder was shared after that, all its files are
 * new to investors, but not to auditors, who could see them before.
 */
function watchedFolders(reader: Reader): RawBuilder<unknown> {
  if (isLentTo(reader.role)) return watchedByAdviser(reader)
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

/** Condition on `file_reads` joined with `files`: it was the version that the file shows. */
export const IS_OF_SHOWN = sql<boolean>`file_reads.at >= files.version_at`

/** Condition on the files of a watched folder: later than its time, not uploaded by the reader, and not read. */
function isUnread(reader: Reader): RawBuilder<boolean> {
  const { id, role } = reader
  return sql<boolean>`(files.folder_id = watched.id and ${isFileShown(reader)} and files.shown_at > watched.since
    ${seesSharedFoldersOnly(role) ? sql`` : sql`and coalesce(files.released_at, files.created_at) > watched.since`}
    and files.uploaded_by is distinct from ${id}
    and not exists (select from file_reads where file_reads.user_id = ${id} and file_reads.file_id = files.id
      and ${IS_OF_SHOWN}))`
}

/** Condition on files: new to the reader. Nothing is new to the office. */
export function isNewTo(reader: Reader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return sql<boolean>`false`
  return sql<boolean>`exists (select from ${watchedFolders(reader)} where ${isUnread(reader)})`
}

/** The number of new files, by project or folder. */
type News = {
  counts: Map<number, number>
  /** When they were counted: later files are not included. Null if there are none. */
  until: string | null
}

/** Counts the new files in all or some of the reader's projects. */
export function countProjectNews(db: Database, reader: Reader, projects?: number[]): Promise<News> {
  const some = projects ? sql`where project_id = any (${projects})` : sql``
  const theirs = isLentTo(reader.role)
    ? sql`select distinct project_id from (${lendersProjects(reader)}) as lent`
    : sql`select project_id from project_members where user_id = ${reader.id}`
  return count(
    db,
    reader,
    sql`select project_id as key from (${theirs}) as theirs ${some}`,
    sql<boolean>`watched.project_id = keys.key`,
  )
}

/** Counts the new files in each folder of a project. */
export function countFolderNews(db: Database, reader: Reader, projectId: number): Promise<News> {
  return count(
    db,
    reader,
    sql`select id as key from folders where project_id = ${projectId}`,
    sql<boolean>`watched.id = keys.key`,
  )
}

/** Counts the new ones among the reader's own files, or among those of their lenders, or of one of them. */
export async function countOwnNews(
  db: Database,
  reader: Reader,
  lender?: number,
): Promise<{ count: number; until: string | null }> {
  const { counts, until } = await count(
    db,
    reader,
    isLentTo(reader.role)
      ? sql`select id as key from (${lendersFolders(reader, lender)}) as lent`
      : sql`select id as key from folders where user_id = ${reader.id}`,
    sql<boolean>`watched.id = keys.key and watched.project_id is null`,
  )
  return { count: [...counts.values()].reduce((sum, each) => sum + each, 0), until }
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

/** Lists projects with their number of new files. If `news` is given, projects with new files come first. */
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

/** The time up to which files are counted, to the microsecond, like the times of files. */
// A file that is being stored right now gets the time at which its transaction began, but nobody has seen it yet. So
// this is right before the start of the oldest open transaction.
const UNTIL = sql`to_char((
    select least(now(), min(xact_start)) - interval '1 microsecond'
    from pg_stat_activity where datname = current_database()
  ) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Lists new files, newest first: their ids, and since when the reader can see each. */
export async function listNewest(
  db: Database,
  reader: Reader,
  most: number,
): Promise<{ id: number; at: Date }[]> {
  if (isOffice(reader.role)) return []
  const at = seesSharedFoldersOnly(reader.role)
    ? sql`files.shown_at`
    : sql`coalesce(files.released_at, files.created_at)`
  const { rows } = await sql<{ id: number; at: Date }>`
    select unread.id, greatest(unread.at, watched.shared_at) as at
    from ${watchedFolders(reader)} cross join lateral (
      select files.id, ${at} as at, files.shown_at from files where ${isUnread(reader)}
      order by files.shown_at desc limit ${most}
    ) as unread
    order by at desc, unread.at desc, unread.id desc limit ${most}`.execute(db)
  return rows
}

/** Lists the ids of new files in some folders, in each folder's order, at most `most` per folder. */
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

/** Marks everything in one project up to a time as read. */
export async function markProjectSeen(
  db: Database,
  reader: Reader,
  projectId: number,
  until: string | undefined,
): Promise<void> {
  if (isLentTo(reader.role)) {
    if ((await markLentProject(db, reader, projectId, markedUntil(until))) === 0) throw notFound(NO_PROJECT)
    return
  }
  const { rows } = await sql`
    update project_members set seen_at = ${seenAt(sql`seen_at`, until)}
    where user_id = ${reader.id} and project_id = ${projectId} returning project_id`.execute(db)
  if (rows.length === 0) throw notFound(NO_PROJECT)
}

/** Marks a lender's own files up to a time as read, for an adviser. */
export async function markLenderSeen(
  db: Database,
  adviser: Reader,
  lenderId: number,
  until: string | undefined,
): Promise<void> {
  if ((await markLender(db, adviser, lenderId, markedUntil(until))) === 0)
    throw notFound('Personen findes ikke.')
}

/** Marks the reader's own files up to a time as read. */
export async function markOwnSeen(
  db: Database | Trx,
  reader: Reader,
  until: string | undefined,
): Promise<void> {
  await sql`
    update users set files_seen_at = ${seenAt(sql`files_seen_at`, until)} where id = ${reader.id}`.execute(db)
}

export async function markAllSeen(db: Database, reader: Reader, until: string | undefined): Promise<void> {
  if (isLentTo(reader.role)) {
    await markAllLent(db, reader, markedUntil(until))
    return
  }
  await db.transaction().execute(async (trx) => {
    await sql`
      update project_members set seen_at = ${seenAt(sql`seen_at`, until)}
      where user_id = ${reader.id}`.execute(trx)
    await markOwnSeen(trx, reader, until)
  })
}

/** Returns the time up to which all is read: when the page was made, but never in the future or earlier than before. */
function seenAt(before: RawBuilder<unknown>, until: string | undefined): RawBuilder<Date> {
  return sql<Date>`greatest(${before}, ${markedUntil(until)})`
}

const markedUntil = (until: string | undefined) => sql<Date>`least(now(), ${until ?? null}::timestamptz)`
