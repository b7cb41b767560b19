import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { isBetweenYears } from '../../files/file/file-year.db.ts'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { isOffice } from '../../rights.ts'
import { readPeriod } from '../../base/time/period.ts'
import { crossesNewYear, type CellState, type OverviewCell } from './overview.ts'

// The rule of what a cell is, as parts of queries on `year_cells`, `folders` and `projects`.

const IS_FOLLOWED = isFollowed(sql`year_cells.due_on`)

/**
 * Column of `year_cells` and `projects`: its state for the reader on a day. Null if it has no file that they see, and is not
 * expected; for others than the office also if it is not followed.
 */
export function cellState(reader: Reader, today: string): RawBuilder<CellState | null> {
  return isOffice(reader.role)
    ? sql<CellState | null>`case
        when year_cells.shown_count > 0 then 'there' when year_cells.files_count > 0 then 'draft'
        when year_cells.due_on is null then null when year_cells.excuse is not null then 'excused'
        when not ${IS_FOLLOWED} then 'unfollowed' when year_cells.due_on < ${today}::date then 'late' when year_cells.ends_on < ${today}::date then 'missing'
        else 'coming' end`
    : sql<CellState | null>`case
        when year_cells.shown_count > 0 then 'there' when year_cells.due_on is null then null
        when year_cells.excuse is not null then 'excused' when ${IS_FOLLOWED} then 'not-yet' end`
}

/** Column of `year_cells`: how many files of it the reader sees. */
export const filesSeen = (reader: Reader) =>
  isOffice(reader.role) ? sql<number>`year_cells.files_count` : sql<number>`year_cells.shown_count`

/** Condition on `year_cells`: belongs to a year. */
export const isOfYear = (year: number) => isBetweenYears(sql`year_cells.period`, year, year)

/** Condition on `year_cells` and `folders`: the reader sees the folder. Begins with their projects, which are few. */
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

/** The columns of a cell, without its file. Days and excuses are the office's alone. */
export function cellColumns(reader: Reader, today: string): RawBuilder<unknown> {
  const ours = (column: string) => (isOffice(reader.role) ? sql.ref(column) : sql`null`)
  return sql`folders.project_id, folders.id as folder, folders.name, folders.place, year_cells.period, ${cellState(reader, today)} as state,
    year_cells.starts_on::text, year_cells.due_on is not null as is_expected, ${ours('year_cells.due_on')}::text as due_on,
    ${ours('year_cells.excuse')} as excuse, ${filesSeen(reader)} as files, ${filesSeen(reader)} - year_cells.shown_count as drafts`
}

export function toCell(row: CellRow): OverviewCell {
  const { folder, name, period, state, is_expected, due_on, excuse, files, drafts } = row
  return {
    folder,
    name,
    period,
    state,
    is_expected,
    due_on,
    crosses_new_year: crossesNewYear(readPeriod(period)!, row.starts_on),
    files,
    drafts,
    file: row.file_id === null ? null : { id: row.file_id, path: row.path!, name: row.file_name! },
    excuse,
  }
}
