import { sql } from 'kysely'
import type { Rhythm } from '../../base/time/period.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { AccountingYears } from './accounting-year.ts'
import { expectedCells } from './expected.ts'

/** A project's accounting years, and the day from which the office follows what is due; null if it follows all. */
export type ProjectYears = AccountingYears & { followedFrom: string | null }

/** Reads when the accounting years of projects end, how long the office has each, and from when it follows each. */
export async function readAccountingYears(
  db: Database | Trx,
  projects: number[],
): Promise<Map<number, ProjectYears>> {
  const { rows } = await sql<ProjectYears & { id: number }>`
    select id, year_ends as ends, held_from::text as "heldFrom", sold_on::text as "soldOn",
      followed_from::text as "followedFrom", coalesce((
      select json_agg(json_build_object('since', since, 'ends', accounting_year_changes.year_ends) order by since)
      from accounting_year_changes where project_id = projects.id), '[]') as changes
    from projects where id = any (${projects})`.execute(db)
  return new Map(rows.map(({ id, ...years }) => [id, years]))
}

/** This many projects are refreshed at a time. */
const AT_A_TIME = 100

/**
 * Makes the cells of projects be those that their folders expect until the end of this accounting year, and removes the
 * cells of nothing. Locks the folders, in the order in which all lock them; who also changes a project locks it after them.
 */
export async function refreshCells(trx: Trx, projects: number[] | 'all', today: string): Promise<void> {
  const ids = await lockForCells(trx, projects)
  for (let at = 0; at < ids.length; at += AT_A_TIME)
    await refreshSome(trx, ids.slice(at, at + AT_A_TIME), null, today)
}

/** Refreshes all projects, each batch in its own transaction, so that nobody waits long for a folder. */
export async function refreshAllCells(db: Database, today: string, signal?: AbortSignal): Promise<void> {
  const projects = await db.selectFrom('projects').select('id').orderBy('id').execute()
  const refresh = transactional(refreshCells)
  for (let at = 0; at < projects.length; at += AT_A_TIME) {
    signal?.throwIfAborted()
    const some = projects.slice(at, at + AT_A_TIME).map(({ id }) => id)
    await refresh(db, some, today)
  }
}

/** Does the same for one folder of a project, which the caller has locked. */
export async function refreshFolder(trx: Trx, project: number, folder: number, today: string): Promise<void> {
  await refreshSome(trx, [project], folder, today)
}

/** Locks all folders of projects. Returns the projects that have folders. */
export async function lockForCells(trx: Trx, projects: number[] | 'all'): Promise<number[]> {
  const isTheirs = projects === 'all' ? sql`project_id is not null` : sql`project_id = any (${projects})`
  const { rows } = await sql<{ project_id: number }>`
    select project_id from folders where ${isTheirs} order by id for update`.execute(trx)
  return [...new Set(rows.map((row) => row.project_id))]
}

type Expecting = {
  id: number
  project_id: number
  rhythm: Rhythm
  from: string | null
  to: string | null
  dueMonths: number
  /** The year of the folder's oldest file, or of earlier expectations, which stay. */
  first: string | null
  /** The project is sold on an unknown day: earlier expectations stay, but no new ones come. */
  is_closed: boolean
}

async function refreshSome(
  trx: Trx,
  projects: number[],
  folder: number | null,
  today: string,
): Promise<void> {
  const isTheirs = sql`folders.project_id = any (${projects})${folder === null ? sql`` : sql` and folders.id = ${folder}`}`
  const { rows: folders } = await sql<Expecting>`
    select folders.id, project_id, expects as rhythm, expects_from as "from", expects_to as "to",
      due_months as "dueMonths", status = 'sold' and sold_on is null as is_closed,
      (select min(left(period, 4)) from year_cells where folder_id = folders.id
        and (files_count > 0 or due_on is not null)) as first
    from folders join projects on projects.id = folders.project_id
    where ${isTheirs} and expects <> 'none'`.execute(trx)
  const years = await readAccountingYears(trx, projects)
  const wanted = folders.flatMap(({ id, project_id: project, first, is_closed: isClosed, ...expectation }) =>
    expectedCells(years.get(project)!, expectation, today, first).map((cell) => ({
      folder_id: id,
      project_id: project,
      is_closed: isClosed,
      period: cell.period,
      starts_on: cell.startsOn,
      ends_on: cell.endsOn,
      due_on: cell.dueOn,
    })),
  )
  const isAmongThem = sql`project_id = any (${projects})${folder === null ? sql`` : sql` and folder_id = ${folder}`}`
  await sql`
    with wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as row (folder_id bigint, project_id bigint,
        is_closed boolean, period text, starts_on date, ends_on date, due_on date)
    ), unwanted as (
      update year_cells set starts_on = null, ends_on = null, due_on = null
      where ${isAmongThem} and due_on is not null
        and (folder_id, period) not in (select folder_id, period from wanted)
    )
    insert into year_cells (folder_id, period, project_id, starts_on, ends_on, due_on)
    select folder_id, period, project_id, starts_on, ends_on, due_on from wanted
    where not is_closed or (folder_id, period) in (
      select folder_id, period from year_cells where ${isAmongThem} and due_on is not null)
    order by folder_id, period
    on conflict (folder_id, period) do update
      set starts_on = excluded.starts_on, ends_on = excluded.ends_on, due_on = excluded.due_on
      where (year_cells.starts_on, year_cells.ends_on, year_cells.due_on)
        is distinct from (excluded.starts_on, excluded.ends_on, excluded.due_on)`.execute(trx)
  await sql`
    delete from year_cells where ${isAmongThem} and files_count = 0 and due_on is null and excuse is null`.execute(
    trx,
  )
}
