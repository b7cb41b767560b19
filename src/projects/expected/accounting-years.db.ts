import { sql } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'
import type { AccountingYears } from './accounting-year.ts'

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
