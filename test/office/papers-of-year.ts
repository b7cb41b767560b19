import { sql } from 'kysely'
import type { Rhythm } from '../../src/base/time/period.ts'
import { refreshCells } from '../../src/projects/expected/cells.db.ts'
import type { Database } from '../../src/server/database/database.ts'

// Makes expectations and papers of periods, for tests of the year.

type Expected = { rhythm: Rhythm; from?: string; to?: string; dueMonths?: number }

/** Lets folders expect papers, as their form does, and keeps the cells. */
export async function expectPapers(
  db: Database,
  folders: number[],
  { rhythm, from, to, dueMonths = 6 }: Expected,
  today: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ project_id: number }>`
      update folders set expects = ${rhythm}, expects_from = ${from ?? null}, expects_to = ${to ?? null},
        due_months = ${dueMonths}
      where id = any (${folders}) returning project_id`.execute(trx)
    await refreshCells(
      trx,
      rows.map((row) => row.project_id),
      today,
    )
  })
}

/** Says which period a file is of. */
export async function setPeriod(db: Database, file: number, period: string | null): Promise<void> {
  await sql`update files set period = ${period}, is_period_given = true where id = ${file}`.execute(db)
}
