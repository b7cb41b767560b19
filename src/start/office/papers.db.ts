import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { IS_OPEN, JOIN_PROJECTS } from '../../year/due/due.db.ts'
import { MOST_COUNTED, type Some } from '../../year/due/due.ts'
import type { MissingKind, MonthCount } from './office-day.ts'

/**
 * Part of a query: the open papers whose last day is nearest, before today and from today on. An office may have expected many
 * more for years; the page is not made to count them.
 */
const nearest = (today: string) => sql`(
  (select cells.* from year_cells as cells ${JOIN_PROJECTS} where ${IS_OPEN} and due_on < ${today}::date order by due_on desc limit ${MOST_COUNTED + 1})
  union all
  (select cells.* from year_cells as cells ${JOIN_PROJECTS} where ${IS_OPEN} and due_on >= ${today}::date order by due_on limit ${MOST_COUNTED + 1})
) as cells`

/** How many kinds of papers are shown. */
const MOST_KINDS = 6

type OpenPapers = { missing: Some<MissingKind>; months: MonthCount[] }

/** Counts the papers that are not there: those whose period has ended and that are not late, by kind, and all by the month of their last day. */
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
