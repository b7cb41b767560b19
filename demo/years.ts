import { sql } from 'kysely'
import { dayOf } from '../src/base/time/dates.ts'
import { refreshAllDuties } from '../src/year/obligations/refresh-duties.db.ts'
import type { Parts } from '../src/server/parts.ts'

/**
 * Says how long the office has had some projects and when their years end. One project has changed its accounting year, and
 * gets no quarterly reports; one paper is of no period, whatever its name says.
 */
export async function fillYears(
  { db, config }: Parts,
  projects: Record<string, number>,
  administrator: number,
): Promise<void> {
  const held = { '1134': '2021-06-15', '1063': '2023-01-01' }
  const sold = { '1102': '2021-03-31', '987': '2018-04-30' }
  for (const [number, day] of Object.entries(held))
    await sql`update projects set held_from = ${day} where id = ${projects[number]}`.execute(db)
  for (const [number, day] of Object.entries(sold))
    await sql`update projects set sold_on = ${day} where id = ${projects[number]}`.execute(db)
  await db
    .insertInto('accounting_year_changes')
    .values({ project_id: projects['1134']!, since: '2026-07-01', year_ends: 6 })
    .execute()
  await db
    .updateTable('folders')
    .set({ expects: 'none' })
    .where('project_id', '=', projects['1134']!)
    .where('name', '=', 'Kvartalsrapport')
    .execute()
  await db
    .updateTable('files')
    .set({ period: null, is_period_given: true })
    .where('name', '=', 'Årsrapport (1024) 2022 udkast til bestyrelsen.pdf')
    .execute()
  await refreshAllDuties(db, dayOf(new Date(), config.timeZone))
  for (const { number, before, excuse } of EXCUSED)
    await sql`
      update duties set excuse = ${excuse}, excused_at = '2026-02-03 09:20Z', excused_by = ${administrator}
      where obligation_id is null and due_on < ${before} and done_at is null and not is_drafted and (${number}::text is null or project_id = ${projects[number ?? ''] ?? null})`.execute(
      db,
    )
}

/** Papers that nobody waits for any more. */
const EXCUSED = [
  { number: null, before: '2025-05-01', excuse: 'Fra før kontoret brugte Ringbind' },
  { number: '1063', before: '2026-05-01', excuse: 'Ikke aftalt for 2025' },
]
