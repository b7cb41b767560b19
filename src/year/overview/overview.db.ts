import { sql, type RawBuilder } from 'kysely'
import { isFolderOfClient, lenderNames } from '../../access/lenders.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen } from '../../access/seen.db.ts'
import { comparePeriods, readPeriod } from '../../base/time/period.ts'
import { pageInfo } from '../../base/pagination.ts'
import { yearOf } from '../../files/file/file-year.db.ts'
import { isOffice, seesSharedFoldersOnly } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import {
  cellColumns,
  cellsOfYear,
  cellState,
  filesSeen,
  isCellSeen,
  toCell,
  type CellRow,
} from './cells.db.ts'
import type { OverviewQuery } from './overview-address.ts'
import {
  CELL_STATES,
  type CellState,
  type Overview,
  type OverviewColumn,
  type OverviewRow,
  type OverviewStatus,
} from './overview.ts'

const PER_PAGE = 25

/** The query: a year, perhaps one folder or status, and which rows of it. */
export type Asked = Omit<OverviewQuery, 'year'> & { year: number; today: string }

/**
 * Reads the overview of a year: 25 projects a page, or all of them, with the sums of all that are found. It has the projects
 * that something is expected of, and the folders that expect something from anybody; everything where one folder is asked for,
 * where nothing is expected at all, and for investors and advisers.
 */
export async function readOverview(
  db: Database,
  reader: Reader,
  asked: Asked,
  rows: 'page' | 'all' = 'page',
): Promise<Overview> {
  const perPage = rows === 'page' ? PER_PAGE : null
  const read = (which: Which) => readSums(db, reader, asked, which, perPage)
  const first: Which = asked.folder !== null || seesSharedFoldersOnly(reader.role) ? 'all' : 'expected'
  const found = await read(first)
  const sums = first === 'expected' && found.total === 0 && asked.status === null ? await read('all') : found
  const { total, projects, counts } = sums
  const cells = await readCells(
    db,
    reader,
    asked,
    projects.map(({ id }) => id),
    [...new Set(sums.columns.map(({ folder }) => folder))],
  )
  const columns = withStrays(sums.columns, cells)
  const byProject = Map.groupBy(cells, ({ project_id: id }) => id)
  const data = projects.map((project): OverviewRow => {
    const own = (byProject.get(project.id) ?? []).map(toCell)
    const expected = own.filter((cell) => cell.duty !== null && !isLeftOut(cell.state))
    const there = expected.filter(({ state }) => state === 'there')
    return { ...project, expected: expected.length, there: there.length, cells: own }
  })
  return {
    rows: data,
    meta: pageInfo({ page: asked.page, perPage: perPage ?? Math.max(1, total), total, rows: data.length }),
    columns: columns
      .map(({ folder, period, expected, there }) => ({ folder, period, expected, there }))
      .sort(inOrderOf(columns)),
    counts,
    folders: sums.folders,
  }
}

/** Only expected cells, or also those with a file. */
type Which = 'expected' | 'all'

/** Adds columns for periods that nobody expects, but that the page has files of: a year's report among the quarters. */
function withStrays(columns: Column[], cells: CellRow[]): Column[] {
  const known = new Set(columns.map(({ folder, period }) => `${period} ${folder}`))
  const strays = new Map<string, Column>()
  for (const { name, period, place } of cells)
    if (!known.has(`${period} ${name}`))
      strays.set(`${period} ${name}`, { folder: name, period, place, expected: 0, there: 0 })
  return [...columns, ...strays.values()]
}

type Column = OverviewColumn & { place: number }
type Sums = {
  total: number
  projects: { id: number; number: string; name: string; lent_by: string[] | null }[]
  columns: Column[]
  counts: Record<CellState, number>
  folders: string[]
}

/** Whether a paper counts neither as expected nor as there. */
const isLeftOut = (state: CellState) => state === 'excused' || state === 'unfollowed'

/** Condition on all cells of one project. */
const HAS: Record<OverviewStatus, RawBuilder<boolean>> = {
  missing: sql<boolean>`bool_or(state = 'missing')`,
  late: sql<boolean>`bool_or(state = 'late')`,
  draft: sql<boolean>`bool_or(state = 'draft')`,
  excused: sql<boolean>`bool_or(state = 'excused')`,
  complete: sql<boolean>`bool_or(is_expected and state <> 'unfollowed') and bool_and(state in ('there', 'excused', 'unfollowed') or not is_expected)`,
}

/** Finds the projects of the year and those of the page, and sums all of them up, in one pass over the kept counts. */
async function readSums(
  db: Database,
  reader: Reader,
  { year, folder, status, client, page, today }: Asked,
  which: Which,
  perPage: number | null,
): Promise<Sums> {
  const isMeant =
    which === 'expected'
      ? sql`duties.id is not null`
      : sql`(duties.id is not null or ${filesSeen(reader)} > 0)`
  const { rows } = await sql<Omit<Sums, 'counts'> & { counts: Partial<Record<CellState, number>> }>`
    with cells as materialized (select * from (
      select folders.project_id, folders.name collate "C" as folder, folders.place, cells.period,
        ${cellState(reader, today)} as state, duties.id is not null as is_expected
      from ${cellsOfYear(year)}
      where ${isMeant} and ${isCellSeen(reader)} and ${isOfClient(reader, client)}
        ${folder === null ? sql`` : sql`and folders.name = ${folder}`}
    ) as cells where state is not null), found as materialized (
      select project_id from cells group by project_id ${status === null ? sql`` : sql`having ${HAS[status]}`}
    ), counted as materialized (
      select folder, period, state, is_expected, min(place) as place, count(*) as cells
      from cells ${status === null ? sql`` : sql`where project_id in (select project_id from found)`}
      group by folder, period, state, is_expected
    ), page as materialized (
      select projects.id, projects.number, projects.name, ${lenderNames(reader)} as lent_by from found join projects on projects.id = found.project_id
      order by projects.number, projects.id limit ${perPage} offset ${perPage === null ? 0 : (page - 1) * perPage}
    )
    select (select count(*)::integer from found) as total,
      coalesce((select json_agg(page) from page), '[]') as projects,
      coalesce((
        select json_agg(columns) from (
          select folder, period, min(place) as place,
            coalesce(sum(cells) filter (where is_expected and state not in ('excused', 'unfollowed')), 0) as expected,
            coalesce(sum(cells) filter (where is_expected and state = 'there'), 0) as there
          from counted group by folder, period) as columns), '[]') as columns,
      coalesce((
        select json_object_agg(state, cells) from (
          select state, sum(cells) as cells from counted group by state) as counts), '{}') as counts,
      array(
        select name collate "C" from (
          select folder as name, place from counted union all
          select folders.name, folders.place from folders
          where folders.project_id in (select id from page) and ${isFolderSeen(reader)}
        ) as known group by 1 order by min(place), 1) as folders`.execute(db)
  const { counts, ...sums } = rows[0]!
  const whole = CELL_STATES.map((state) => [state, counts[state] ?? 0])
  return { ...sums, counts: Object.fromEntries(whole) as Record<CellState, number> }
}

/** Condition on `folders`: an adviser sees it through the client whose papers are asked for. */
const isOfClient = (reader: Reader, client: number | null) =>
  client === null ? sql<boolean>`true` : isFolderOfClient(reader, client)

/** Orders columns by the place of their folders, and by time. */
function inOrderOf(columns: readonly Column[]): (a: OverviewColumn, b: OverviewColumn) => number {
  const places = new Map<string, number>()
  for (const { folder, place } of columns) places.set(folder, Math.min(place, places.get(folder) ?? Infinity))
  return (a, b) =>
    places.get(a.folder)! - places.get(b.folder)! ||
    (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0) ||
    comparePeriods(readPeriod(a.period)!, readPeriod(b.period)!)
}

/** Reads the cells of some projects, in the order of their folders, each with its first file. */
async function readCells(
  db: Database,
  reader: Reader,
  { year, client, today }: Asked,
  projects: number[],
  names: string[],
): Promise<CellRow[]> {
  if (projects.length === 0) return []
  const { rows } = await sql<CellRow>`
    select cells.*, file.id as file_id, file.key || '/' || file.name as path, file.name as file_name
    from (
      select ${cellColumns(reader, today)}
      from ${cellsOfYear(year)}
      where folders.project_id = any (${projects}) and folders.name = any (${names}) and ${isCellSeen(reader)}
        and ${isOfClient(reader, client)}
    ) as cells
    left join lateral (
      select files.id, files.key, files.name from files
      where files.folder_id = cells.folder and files.period = cells.period and ${isFileShown(reader)}
      order by files.is_held_back, files.position limit 1
    ) as file on cells.files > 0
    where cells.state is not null
    order by cells.place, cells.period`.execute(db)
  return rows
}

/** How many years back those outside the office can look, whatever is there. */
const YEARS_OFFERED = 10

/** Lists the years that can be chosen, newest first. */
export async function listYears(db: Database, reader: Reader, today: string): Promise<number[]> {
  const now = Number(today.slice(0, 4))
  if (!isOffice(reader.role)) return Array.from({ length: YEARS_OFFERED }, (_, index) => now - index)
  // Jumps from year to year in the indexes.
  const first = (condition: RawBuilder<unknown>) => sql`(select ${yearOf(sql`period`)} from (
      (select period from duties where ${condition} order by period limit 1) union all
      (select period from year_cells where files_count > 0 and ${condition} order by period limit 1)
    ) as each order by period limit 1)`
  const { rows } = await sql<{ year: number }>`
    with recursive years as (
      select ${first(sql`true`)} as year
      union all
      select ${first(sql`period >= (years.year + 1)::text`)} from years where years.year is not null
    )
    select year from years where year is not null`.execute(db)
  const known = new Set([...rows.map(({ year }) => year), now, now - 1])
  return [...known].sort((a, b) => b - a)
}
