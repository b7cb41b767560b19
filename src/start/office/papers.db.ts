import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import { readAccountingYears } from '../../projects/expected/cells.db.ts'
import type { Database } from '../../server/database/database.ts'
import { periodName } from '../../projects/expected/period-name.ts'
import { MOST_COUNTED, type Due, type MissingKind, type MonthCount, type Some } from './office-day.ts'

/**
 * Condition on `year_cells as cells`: a paper is expected and neither there, nor a draft, nor excused. Has an index.
 */
const IS_OPEN = sql<boolean>`(cells.due_on is not null and cells.files_count = 0 and cells.excuse is null)`

/**
 * Part of a query: the open papers whose last day is nearest, before today and from today on. An office may have expected many
 * more for years; the page is not made to count them.
 */
const nearest = (today: string) => sql`(
  (select * from year_cells as cells where ${IS_OPEN} and due_on < ${today}::date order by due_on desc limit ${MOST_COUNTED + 1})
  union all
  (select * from year_cells as cells where ${IS_OPEN} and due_on >= ${today}::date order by due_on limit ${MOST_COUNTED + 1})
) as cells`

/** How many kinds of papers are shown. */
const MOST_KINDS = 6

type OpenPapers = { late: number; missing: Some<MissingKind>; months: MonthCount[] }

/** Counts the papers that are not there: late ones, those whose period has ended by kind, and by the month of their last day. */
export async function countOpenPapers(db: Database, reader: Reader, today: string): Promise<OpenPapers> {
  const { rows } = await sql<{
    name: string
    month: string
    is_late: boolean
    is_ended: boolean
    count: number
  }>`
    select folders.name, to_char(due_on, 'YYYY-MM') as month, due_on < ${today}::date as is_late,
      ends_on < ${today}::date as is_ended, count(*)::integer as count
    from ${nearest(today)} join folders on folders.id = cells.folder_id where ${isFolderSeen(reader)}
    group by 1, 2, 3, 4`.execute(db)
  const missing = rows.filter(({ is_late: isLate, is_ended: isEnded }) => !isLate && isEnded)
  const kinds = sumBy(missing, ({ name }) => name).map(([name, count]) => ({ name, count }))
  return {
    late: sumOf(rows.filter(({ is_late: isLate }) => isLate)),
    missing: {
      rows: kinds.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, MOST_KINDS),
      total: sumOf(missing),
    },
    months: sumBy(rows, ({ month }) => month).map(([month, count]) => ({ month, count })),
  }
}

const sumOf = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)

function sumBy<Counted extends { count: number }>(
  rows: Counted[],
  keyOf: (row: Counted) => string,
): [key: string, count: number][] {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count)
  return [...sums]
}

/** Many projects have papers with the same last day. So many are put in the order of projects. */
const OF_A_DAY = 200

type Row = {
  folder_id: number
  folder: string
  period: string
  project_id: number
  number: string
  project: string
  due_on: string
  is_late: boolean
}

/** Lists the papers that became late last, and those that are due next. */
export async function listOpenPapers(
  db: Database,
  reader: Reader,
  today: string,
  most: number,
): Promise<{ late: Due[]; next: Due[] }> {
  const some = (which: RawBuilder<boolean>, order: RawBuilder<unknown>) => sql`(
    select nearest.*, folders.name as folder, projects.number, projects.name as project
    from (
      select folder_id, period, project_id, due_on from year_cells as cells where ${IS_OPEN} and ${which}
      order by ${order} limit ${OF_A_DAY}
    ) as nearest
    join folders on folders.id = nearest.folder_id join projects on projects.id = nearest.project_id
    where ${isFolderSeen(reader)} order by ${order}, projects.number, folders.place, period limit ${most})`
  const { rows } = await sql<Row>`
    select cells.folder_id, cells.folder, cells.period, cells.project_id, cells.number, cells.project,
      cells.due_on::text, cells.due_on < ${today}::date as is_late
    from (${some(sql<boolean>`due_on < ${today}::date`, sql`due_on desc`)}
      union all ${some(sql<boolean>`due_on >= ${today}::date`, sql`due_on`)}) as cells`.execute(db)
  const years = await readAccountingYears(db, [...new Set(rows.map((row) => row.project_id))])
  const papers = rows.map((row) => ({
    isLate: row.is_late,
    due: {
      kind: 'paper' as const,
      title: `${row.folder} ${periodName(row.period, years.get(row.project_id) ?? null)}`,
      project: { id: row.project_id, number: row.number, name: row.project },
      folder: row.folder_id,
      period: row.period,
      due_on: row.due_on,
      responsible: null,
    },
  }))
  return {
    late: papers.filter(({ isLate }) => isLate).map(({ due }) => due),
    next: papers.filter(({ isLate }) => !isLate).map(({ due }) => due),
  }
}
