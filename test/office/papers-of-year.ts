import { sql } from 'kysely'
import type { Rhythm } from '../../src/base/time/period.ts'
import type { Database } from '../../src/server/database/database.ts'
import { refreshDuties } from '../../src/year/obligations/refresh-duties.db.ts'

// Makes expectations and papers of periods, for tests of the year.

type Expected = { rhythm: Rhythm; from?: string; to?: string; dueMonths?: number }

/** Lets folders expect papers, as their form does, and makes the duties. */
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
    await refreshDuties(
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

/** Finds the duty to have a paper of a period in a folder. */
export async function dutyOf(db: Database, folder: number, period: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from duties where folder_id = ${folder} and period = ${period}`.execute(db)
  return rows[0]!.id
}
