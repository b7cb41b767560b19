import { sql, type RawBuilder } from 'kysely'
import { FIRST_PAGE, pageInfo } from '../base/pagination.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { Act } from './words/act.ts'
import { LOG_PER_PAGE, MOST_COUNTED, type LogAnswer, type LogEntry } from './words/entry.ts'
import type { LogFilter } from './words/filter.ts'
import type { Bounds } from './words/named-period.ts'

/** Conditions for the entries to read. */
export type EntryFilter = Partial<Pick<LogFilter, 'person' | 'project' | 'file' | 'act'> & Bounds> & {
  /** Leaves out entries of this act. */
  without?: Act
}

/** Returns one page, newest first. Counts at most `MOST_COUNTED` entries, no matter how long the log is. */
export async function listLog(
  db: Database,
  wanted: EntryFilter,
  page: number,
): Promise<Pick<LogAnswer, 'data' | 'meta'>> {
  const counted = await countEntries(db, wanted)
  const total = Math.min(counted, MOST_COUNTED)
  const offset = (page - FIRST_PAGE) * LOG_PER_PAGE
  const data = offset < total ? await listEntries(db, { ...wanted, offset, limit: LOG_PER_PAGE }) : []
  const info = pageInfo({ page, perPage: LOG_PER_PAGE, total, rows: data.length })
  return { data, meta: { ...info, is_more: counted > MOST_COUNTED } }
}

/** Returns the newest entries. Those of a person are what they did, what was done to them, and what others did for them. */
export async function listEntries(
  db: Database | Trx,
  { limit, offset = 0, ...wanted }: EntryFilter & { limit: number; offset?: number },
): Promise<LogEntry[]> {
  const each = branchesOf(wanted).map(
    (is) => sql`(select id, at from log where ${is} order by at desc, id desc limit ${limit + offset})`,
  )
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(each, sql` union all `)}) as found
    order by at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return readEntries(
    db,
    rows.map(({ id }) => id),
  )
}

async function countEntries(db: Database, wanted: EntryFilter): Promise<number> {
  const most = MOST_COUNTED + 1
  const each = branchesOf(wanted).map((is) => sql`(select from log where ${is} limit ${most})`)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${sql.join(each, sql` union all `)}) as found`.execute(db)
  return Math.min(rows[0]!.count, most)
}

/** How many entries are in memory at a time. */
const BATCH = 1000

/** Yields all entries written before the given one, newest first, in batches. */
export async function* readAll(
  db: Database,
  wanted: EntryFilter,
  beforeId: number,
): AsyncGenerator<LogEntry[]> {
  let last: Key | null = null
  do {
    const keys: Key[] = await listKeys(db, wanted, beforeId, last)
    if (keys.length > 0)
      yield await readEntries(
        db,
        keys.map(({ id }) => id),
      )
    last = keys[BATCH - 1] ?? null
  } while (last)
}

/** An entry's position. The time is text, as a JavaScript date has no microseconds. */
type Key = { at: string; id: number }

/** Continues after a key instead of an offset, so that the last batch costs no more than the first. */
async function listKeys(
  db: Database,
  wanted: EntryFilter,
  beforeId: number,
  last: Key | null,
): Promise<Key[]> {
  const each = branchesOf(wanted, [
    sql<boolean>`id < ${beforeId}`,
    ...(last ? [sql<boolean>`(at, id) < (${last.at}::timestamptz, ${last.id})`] : []),
  ]).map((is) => sql`(select id, at from log where ${is} order by at desc, id desc limit ${BATCH})`)
  const { rows } = await sql<Key>`
    select id, at::text as at from (${sql.join(each, sql` union all `)}) as found
    order by found.at desc, id desc limit ${BATCH}`.execute(db)
  return rows
}

/**
 * Returns conditions that exclude each other, for a union. A person gets four, "by them", "about them", "seen as them" and "for
 * them", as each has its own index; the newest of these are the newest of all.
 */
function branchesOf(wanted: EntryFilter, more: RawBuilder<boolean>[] = []): RawBuilder<boolean>[] {
  const { person, project, file, act, without, from, before } = wanted
  const all = [
    project && sql<boolean>`project_id = ${project}`,
    file && sql<boolean>`file_id = ${file}`,
    act && sql<boolean>`act = ${act}`,
    without && sql<boolean>`act <> ${without}`,
    from && sql<boolean>`at >= ${from}`,
    before && sql<boolean>`at < ${before}`,
    ...more,
  ].filter((each) => Boolean(each)) as RawBuilder<boolean>[]
  const and = (...first: RawBuilder<boolean>[]) =>
    first.length + all.length > 0
      ? sql<boolean>`${sql.join([...first, ...all], sql` and `)}`
      : sql<boolean>`true`
  if (!person) return [and()]
  return [
    and(sql<boolean>`user_id = ${person}`),
    and(sql<boolean>`subject_user_id = ${person}`, sql<boolean>`user_id is distinct from ${person}`),
    and(
      sql<boolean>`as_user_id = ${person}`,
      sql<boolean>`user_id is distinct from ${person} and subject_user_id is distinct from ${person}`,
    ),
    and(
      sql<boolean>`for_user_id = ${person}`,
      sql<boolean>`user_id is distinct from ${person} and subject_user_id is distinct from ${person}`,
      sql<boolean>`as_user_id is distinct from ${person}`,
    ),
  ]
}

type Row = {
  id: number
  at: Date
  act: Act
  address: string | null
  user_id: number | null
  user_name: string | null
  user_email: string | null
  as_id: number | null
  as_name: string | null
  as_email: string | null
  token_id: number | null
  token_name: string | null
  lender_id: number | null
  lender_name: string | null
  subject_id: number | null
  subject_name: string | null
  subject_email: string | null
  project_id: number | null
  project_number: string | null
  project_name: string | null
  folder_id: number | null
  folder_name: string | null
  file_id: number | null
  detail: string | null
  name_before: string | null
  name_after: string | null
} & FileRow

/** The file's present data, or nulls if it no longer exists. */
export type FileRow = {
  file_name: string | null
  file_key: string | null
  file_project: number | null
  file_user: number | null
  is_in_trash: boolean
}

/** Returns entries by their ids, newest first. */
export async function readEntries(db: Database | Trx, ids: number[]): Promise<LogEntry[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select log.id, log.at, log.act, host(log.address) as address, log.detail,
      log.user_id, actor.name as user_name, actor.email as user_email,
      log.as_user_id as as_id, shown.name as as_name, shown.email as as_email,
      log.token_id, tokens.name as token_name, lender.id as lender_id, lender.name as lender_name,
      log.subject_user_id as subject_id, subject.name as subject_name, subject.email as subject_email,
      log_names.before as name_before, log_names.after as name_after,
      log.project_id, projects.number as project_number, projects.name as project_name,
      log.folder_id, folders.name as folder_name,
      log.file_id, files.name as file_name, files.key as file_key, files.deleted_at is not null as is_in_trash,
      home.project_id as file_project, home.user_id as file_user
    from log
    left join log_names on log_names.log_id = log.id
    left join users as actor on actor.id = log.user_id
    left join users as shown on shown.id = log.as_user_id
    left join tokens on tokens.id = log.token_id
    left join users as lender on lender.id = log.for_user_id
    left join users as subject on subject.id = log.subject_user_id
    left join projects on projects.id = log.project_id
    left join folders on folders.id = log.folder_id
    left join files on files.id = log.file_id
    left join folders as home on home.id = files.folder_id
    where log.id = any (${ids})
    order by log.at desc, log.id desc`.execute(db)
  return rows.map(entryOf)
}

function entryOf(row: Row): LogEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    act: row.act,
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name!, email: row.user_email! },
    seen_as: row.as_id === null ? null : { id: row.as_id, name: row.as_name!, email: row.as_email! },
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name! },
    lender: row.lender_id === null ? null : { id: row.lender_id, name: row.lender_name! },
    subject:
      row.subject_id === null || row.subject_name === null || row.subject_email === null
        ? null
        : { id: row.subject_id, name: row.subject_name, email: row.subject_email },
    project:
      row.project_id === null || row.project_number === null || row.project_name === null
        ? null
        : { id: row.project_id, number: row.project_number, name: row.project_name },
    folder: row.folder_id === null ? null : { id: row.folder_id, name: row.folder_name },
    file: row.file_id === null ? null : fileOf(row.file_id, row),
    release: null,
    address: row.address,
    detail: row.detail,
    names: row.name_before === null ? null : { before: row.name_before, after: row.name_after! },
  }
}

export function fileOf(id: number, row: FileRow | undefined): NonNullable<LogEntry['file']> {
  const { file_name: name = null, file_key: key, file_project: project, file_user: user } = row ?? {}
  return {
    id,
    name,
    path: name === null ? null : `${key}/${name}`,
    owner: project ? { project } : user ? { user } : null,
    in_trash: row?.is_in_trash ?? false,
  }
}
