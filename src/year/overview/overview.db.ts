import { sql, type RawBuilder } from 'kysely'
import { isFolderOfClient, lenderNames } from '../../access/lenders.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import { pageInfo } from '../../base/pagination.ts'
import { comparePeriods, readPeriod } from '../../base/time/period.ts'
import { isBetweenYears } from '../../files/file/file-year.db.ts'
import { seesSharedFoldersOnly } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { isFound } from '../../server/database/search.db.ts'
import { isFiltered } from '../due/due.db.ts'
import type { DutyQuery } from '../obligations/duty.ts'
import {
  CELL_NAME,
  CELL_PLACE,
  cellColumns,
  cellsOf,
  cellState,
  filesSeen,
  isCellSeen,
  toCell,
  type CellRow,
} from './cells.db.ts'
import {
  columnKey,
  columnOf,
  type CellState,
  type Overview,
  type OverviewColumn,
  type OverviewRow,
} from './overview.ts'

const PER_PAGE = 25

/** The query: a year, and the other filters. */
export type Asked = DutyQuery & {
  year: number
  /** For an adviser: the only person whose papers are shown. */
  client: number | null
  today: string
}

/**
 * Reads the grid of a year: 25 projects a page, or all of them, with the sums of all that are found. It has the projects that
 * have a duty, and what duties are about; all papers too where one folder is asked for, where there are no duties at all, and for
 * investors and advisers. A state chooses projects: those that have something like it. What is open is in all of them.
 */
export async function readOverview(db: Database, reader: Reader, asked: Asked): Promise<Overview> {
  const read = (hasStrays: boolean) => readSums(db, reader, asked, hasStrays)
  const isAll = asked.rule !== null || seesSharedFoldersOnly(reader.role)
  const found = await read(isAll)
  const isUnfiltered = asked.state === 'open' && asked.person === null && asked.q === ''
  const { total, projects, ...sums } = !isAll && found.total === 0 && isUnfiltered ? await read(true) : found
  const names = new Set(sums.columns.map(({ name, isPaper }) => columnKey(name, isPaper, '')))
  const all = await readCells(
    db,
    reader,
    asked,
    projects.map(({ id }) => id),
  )
  const cells = all.filter(({ name, folder }) => names.has(columnKey(name, folder !== null, '')))
  const columns = withStrays(sums.columns, cells)
  const byProject = Map.groupBy(cells, ({ project_id: id }) => id)
  const rows = projects.map((project): OverviewRow => {
    const own = (byProject.get(project.id) ?? []).map(toCell)
    const expected = own.filter((cell) => cell.duty !== null && !isLeftOut(cell.state))
    const there = expected.filter(({ state }) => state === 'done')
    return { ...project, expected: expected.length, there: there.length, cells: own }
  })
  const perPage = asked.all ? Math.max(1, total) : PER_PAGE
  return {
    rows,
    meta: pageInfo({ page: asked.page, perPage, total, rows: rows.length }),
    columns: columns
      .sort(inOrderOf(columns))
      .map(({ name, isPaper, period, expected, there }) => ({ name, isPaper, period, expected, there })),
  }
}

/** Adds columns for periods that nobody expects, but that the page has files of: a year's report among the quarters. */
function withStrays(columns: Column[], cells: CellRow[]): Column[] {
  const known = new Map(
    columns.map((column) => [columnKey(column.name, column.isPaper, column.period), column]),
  )
  for (const cell of cells)
    if (!known.has(columnOf(cell)))
      known.set(columnOf(cell), {
        name: cell.name,
        isPaper: cell.folder !== null,
        period: cell.period,
        place: cell.place,
        expected: 0,
        there: 0,
      })
  return [...known.values()]
}

type Column = OverviewColumn & { place: number }
type Sums = {
  total: number
  projects: { id: number; number: string; name: string; lent_by: string[] | null }[]
  columns: Column[]
}

/** Whether a paper counts neither as expected nor as there. */
const isLeftOut = (state: CellState) => state === 'excused' || state === 'unfollowed'

/** Condition on cells: what all filters but the state ask for. Papers that no duty asks for have nobody responsible. */
function isMeant(reader: Reader, asked: Asked): RawBuilder<boolean> {
  const { rule, person, q, client } = asked
  const isStray = sql<boolean>`(duties.id is null and ${person === null}
    and (${rule}::text is null or folders.name = ${rule}) and ${isFound(sql<string>`projects.search`, q)})`
  return sql<boolean>`((duties.id is not null and ${isFiltered(asked)} or ${isStray}) and ${isCellSeen(reader)}
    and ${client === null ? sql<boolean>`true` : isFolderOfClient(reader, client)})`
}

/** Part of a query: the cells of a year. */
const cellsOfYear = (reader: Reader, { year }: Asked) =>
  cellsOf(reader, (period) => isBetweenYears(period, year, year))

/** Finds the projects of the year and those of the page, and sums all of them up, in one pass over the kept counts. */
async function readSums(db: Database, reader: Reader, asked: Asked, hasStrays: boolean): Promise<Sums> {
  const { state, page, all, today } = asked
  const hasIt = state === 'open' ? sql`` : sql`having bool_or(state = ${state} and is_expected)`
  const rest = all ? sql`` : sql`limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`
  const { rows } = await sql<Sums>`
    with cells as materialized (select * from (
      select cells.project_id, ${CELL_NAME} as name, cells.folder_id is not null as is_paper, ${CELL_PLACE} as place, cells.period,
        ${cellState(reader, today)} as state, duties.id is not null as is_expected
      from ${cellsOfYear(reader, asked)}
      where (duties.id is not null ${hasStrays ? sql`or ${filesSeen(reader)} > 0` : sql``}) and ${isMeant(reader, asked)}
    ) as cells where state is not null), found as materialized (
      select project_id from cells group by project_id ${hasIt}
    ), page as materialized (
      select projects.id, projects.number, projects.name, ${lenderNames(reader)} as lent_by from found join projects on projects.id = found.project_id
      order by projects.number, projects.id ${rest}
    )
    select (select count(*)::integer from found) as total,
      coalesce((select json_agg(page) from page), '[]') as projects,
      coalesce((
        select json_agg(columns) from (
          select name, is_paper as "isPaper", period, min(place) as place,
            count(*) filter (where is_expected and state not in ('excused', 'unfollowed')) as expected,
            count(*) filter (where is_expected and state = 'done') as there
          from cells where project_id in (select project_id from found) group by 1, 2, 3) as columns), '[]') as columns`.execute(
    db,
  )
  return rows[0]!
}

/** Orders columns by the place of their folders, and by time. */
function inOrderOf(columns: readonly Column[]): (a: Column, b: Column) => number {
  const places = new Map<string, number>()
  const keyOf = ({ name, isPaper }: Column) => columnKey(name, isPaper, '')
  for (const column of columns)
    places.set(keyOf(column), Math.min(column.place, places.get(keyOf(column)) ?? Infinity))
  return (a, b) =>
    places.get(keyOf(a))! - places.get(keyOf(b))! ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
    comparePeriodKeys(a.period, b.period)
}

/** The day of an event is no period. */
function comparePeriodKeys(a: string, b: string): number {
  const [one, other] = [readPeriod(a), readPeriod(b)]
  return one && other ? comparePeriods(one, other) : a < b ? -1 : 1
}

/** Reads the cells of some projects, in the order of their folders, each with its first file. */
async function readCells(db: Database, reader: Reader, asked: Asked, projects: number[]): Promise<CellRow[]> {
  if (projects.length === 0) return []
  const { rows } = await sql<CellRow>`
    select cells.*, file.file
    from (
      select ${cellColumns(reader, asked.today)}
      from ${cellsOfYear(reader, asked)}
      where cells.project_id = any (${projects}) and ${isMeant(reader, asked)}
    ) as cells
    left join lateral (
      select json_build_object('id', files.id, 'path', files.key || '/' || files.name, 'name', files.name) as file from files
      where files.folder_id = cells.folder and files.period = cells.period and ${isFileShown(reader)}
      order by files.is_held_back, files.position limit 1
    ) as file on cells.files > 0
    where cells.state is not null
    order by cells.place, cells.period`.execute(db)
  return rows
}
