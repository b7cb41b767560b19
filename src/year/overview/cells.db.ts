import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { isBetweenYears } from '../../files/file/file-year.db.ts'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { isOffice } from '../../rights.ts'
import { dutyState } from '../obligations/duty-state.db.ts'
import { crossesNewYear, readPeriod } from '../../base/time/period.ts'
import { type CellState, type OverviewCell } from './overview.ts'

// The rule of what a cell is, as parts of queries on what `cellsOf` has.

const IS_FOLLOWED = isFollowed(sql`duties.due_on`)

/**
 * Part of a query, after `from`: the duties of some periods that a paper ends, and the papers that no duty asks for, with
 * their `projects` and `folders`.
 */
export const cellsOf = (isMeant: (period: RawBuilder<unknown>) => RawBuilder<boolean>) => sql`(
    select id as duty, folder_id, period from duties where folder_id is not null and ${isMeant(sql`period`)}
    union all
    select null, folder_id, period from year_cells where files_count > 0 and ${isMeant(sql`period`)} and not exists (
      select from duties where duties.folder_id = year_cells.folder_id and duties.period = year_cells.period)
  ) as cells
  join folders on folders.id = cells.folder_id join projects on projects.id = folders.project_id
  left join duties on duties.id = cells.duty
  left join year_cells on year_cells.folder_id = cells.folder_id and year_cells.period = cells.period`

/** The same of one year. */
export const cellsOfYear = (year: number) => cellsOf((period) => isBetweenYears(period, year, year))

/**
 * Column of cells: their state for the reader on a day. Null if they have no file that the reader sees, and are not expected; for
 * others than the office also if they are not followed, or were done without a paper.
 */
export function cellState(reader: Reader, today: string): RawBuilder<CellState | null> {
  return isOffice(reader.role)
    ? sql<CellState | null>`case when duties.id is not null then coalesce(nullif(${dutyState(today)}, 'done'), 'there')
        when year_cells.shown_count > 0 then 'there' else 'draft' end`
    : sql<CellState | null>`case
        when year_cells.shown_count > 0 then 'there' when duties.done_at is not null then null
        when duties.excuse is not null then 'excused' when ${IS_FOLLOWED} then 'not-yet' end`
}

/** Column of cells: how many files of them the reader sees. */
export const filesSeen = (reader: Reader) =>
  isOffice(reader.role)
    ? sql<number>`coalesce(year_cells.files_count, 0)`
    : sql<number>`coalesce(year_cells.shown_count, 0)`

/** Condition on `folders`: the reader sees the folder. Begins with their projects, which are few. */
export function isCellSeen(reader: Reader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return isFolderSeen(reader)
  return sql<boolean>`(folders.project_id in (select projects.id from projects where ${isProjectSeen(reader)})
    and ${isFolderSeen(reader)})`
}

export type CellRow = Omit<OverviewCell, 'crosses_new_year' | 'file'> & {
  project_id: number
  /** The folder's. */
  place: number
  starts_on: string | null
  file_id: number | null
  path: string | null
  file_name: string | null
}

/** The columns of cells, without its file. Days and excuses are the office's alone. */
export function cellColumns(reader: Reader, today: string): RawBuilder<unknown> {
  const ours = (column: string) => (isOffice(reader.role) ? sql.ref(column) : sql`null`)
  return sql`folders.project_id, folders.id as folder, folders.name, folders.place, cells.period, ${cellState(reader, today)} as state,
    duties.starts_on::text, duties.id as duty, ${ours('duties.due_on')}::text as due_on,
    ${ours('duties.excuse')} as excuse, ${filesSeen(reader)} as files,
    ${filesSeen(reader)} - coalesce(year_cells.shown_count, 0) as drafts`
}

export function toCell(row: CellRow): OverviewCell {
  const { duty, folder, name, period, state, due_on, excuse, files, drafts } = row
  return {
    duty,
    folder,
    name,
    period,
    state,
    due_on,
    crosses_new_year: crossesNewYear(readPeriod(period)!, row.starts_on),
    files,
    drafts,
    file: row.file_id === null ? null : { id: row.file_id, path: row.path!, name: row.file_name! },
    excuse,
  }
}
