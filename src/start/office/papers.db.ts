import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { IS_OPEN, isLate, isMissing } from '../../year/obligations/duty-state.db.ts'
import { seenDuties } from '../../year/obligations/duties.db.ts'
import { MOST_COUNTED, type Some } from '../../year/due/due.ts'
import type { MissingKind, MonthCount } from './office-day.ts'

/**
 * Part of a query: the open duties whose last day is nearest, before today and from today on. An office may have had many
 * more for years; the page is not made to count them.
 */
const nearest = (reader: Reader, today: string) => {
  const part = (isMeant: RawBuilder<boolean>, way: RawBuilder<unknown>) => sql`(
    select duties.* from ${seenDuties(reader)} where ${IS_OPEN} and ${isMeant} order by due_on ${way} limit ${MOST_COUNTED + 1})`
  return sql`(
    ${part(isLate(today), sql`desc`)} union all ${part(sql<boolean>`not ${isLate(today)}`, sql`asc`)}
  ) as duties`
}

/** How many kinds of papers are shown. */
const MOST_KINDS = 6

type OpenPapers = { missing: Some<MissingKind>; months: MonthCount[] }

/** Counts what is open: what is missing by kind, and all by the month of its last day. */
export async function countOpenPapers(db: Database, reader: Reader, today: string): Promise<OpenPapers> {
  const { rows } = await sql<{
    name: string
    month: string
    is_missing: boolean
    count: number
  }>`
    select coalesce(obligations.title, folders.name) as name, to_char(duties.due_on, 'YYYY-MM') as month,
      ${isMissing(today)} as is_missing, count(*)::integer as count
    from ${nearest(reader, today)} left join obligations on obligations.id = duties.obligation_id
    left join folders on folders.id = duties.folder_id
    group by 1, 2, 3`.execute(db)
  const missing = rows.filter(({ is_missing: isIt }) => isIt)
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
