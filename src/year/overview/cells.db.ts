import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { isOffice } from '../../rights.ts'
import { dutyState } from '../obligations/duty-state.db.ts'
import { isOfEvent } from '../obligations/duty.ts'
import { crossesNewYear, readPeriod } from '../../base/time/period.ts'
import { type CellState, type OverviewCell } from './overview.ts'

// The rule of what a cell is, as parts of queries on what `cellsOf` has.

const IS_FOLLOWED = isFollowed(sql`duties.due_on`)

/**
 * Part of a query, after `from`: the duties of some periods, and the papers that no duty asks for, with their `projects` and
 * `folders`. Others than the office see what is about folders alone.
 */
export const cellsOf = (
  reader: Reader,
  isMeant: (period: RawBuilder<unknown>) => RawBuilder<boolean>,
) => sql`(
    select id as duty, project_id, folder_id, period from duties
    where ${isMeant(sql`period`)} ${isOffice(reader.role) ? sql`` : sql`and folder_id is not null`}
    union all
    select null, project_id, folder_id, period from year_cells
    where files_count > 0 and ${isMeant(sql`period`)} and not exists (
      select from duties where duties.folder_id = year_cells.folder_id and duties.period = year_cells.period)
  ) as cells
  join projects on projects.id = cells.project_id left join folders on folders.id = cells.folder_id
  left join duties on duties.id = cells.duty left join obligations on obligations.id = duties.obligation_id
  left join year_cells on year_cells.folder_id = cells.folder_id and year_cells.period = cells.period`

/** The columns of cells: what they are called in all projects, and their place. Those without a folder come last. */
export const CELL_NAME = sql`coalesce(folders.name collate "C", obligations.title collate "C")`
export const CELL_PLACE = sql`coalesce(folders.place, 100000)`

/**
 * Column of cells: their state for the reader on a day. Null if they have no file that the reader sees, and are not expected; for
 * others than the office also if they are not followed, or were done without a paper.
 */
export function cellState(reader: Reader, today: string): RawBuilder<CellState | null> {
  return isOffice(reader.role)
    ? sql<CellState | null>`case when duties.id is not null then ${dutyState(today)}
        when year_cells.shown_count > 0 then 'done' else 'draft' end`
    : sql<CellState | null>`case
        when year_cells.shown_count > 0 then 'done' when duties.id is null or duties.done_at is not null then null
        when duties.excuse is not null then 'excused' when ${IS_FOLLOWED} then 'not-yet' end`
}

/** Column of cells: how many files of them the reader sees. */
export const filesSeen = (reader: Reader) =>
  isOffice(reader.role)
    ? sql<number>`coalesce(year_cells.files_count, 0)`
    : sql<number>`coalesce(year_cells.shown_count, 0)`

/** Condition on cells: the reader sees them. Begins with their projects, which are few. */
export function isCellSeen(reader: Reader): RawBuilder<boolean> {
  if (isOffice(reader.role)) return isProjectSeen(reader)
  return sql<boolean>`(folders.project_id in (select projects.id from projects where ${isProjectSeen(reader)})
    and ${isFolderSeen(reader)})`
}

export type CellRow = Omit<OverviewCell, 'crosses_new_year'> & {
  project_id: number
  /** The folder's. */
  place: number
  starts_on: string | null
}

/** The columns of cells, without its file. Days and excuses are the office's alone. */
export function cellColumns(reader: Reader, today: string): RawBuilder<unknown> {
  const ours = (column: string) => (isOffice(reader.role) ? sql.ref(column) : sql`null`)
  return sql`cells.project_id, cells.folder_id as folder, ${CELL_NAME} as name, ${CELL_PLACE} as place, cells.period, ${cellState(reader, today)} as state,
    duties.starts_on::text, duties.id as duty, ${ours('duties.due_on')}::text as due_on,
    ${ours('duties.excuse')} as excuse, ${filesSeen(reader)} as files,
    ${filesSeen(reader)} - coalesce(year_cells.shown_count, 0) as drafts`
}

export function toCell(row: CellRow): OverviewCell {
  const { duty, folder, name, period, state, due_on, excuse, files, drafts, file } = row
  return {
    duty,
    folder,
    name,
    period,
    state,
    due_on,
    crosses_new_year: isOfEvent(row) ? false : crossesNewYear(readPeriod(period)!, row.starts_on),
    files,
    drafts,
    file,
    excuse,
  }
}
