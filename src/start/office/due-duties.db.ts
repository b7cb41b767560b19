import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isProjectSeen } from '../../access/seen.db.ts'
import { readAccountingYears } from '../../projects/expected/cells.db.ts'
import type { Database } from '../../server/database/database.ts'
import { writeDay } from '../../base/time/days.ts'
import { periodName } from '../../projects/expected/period-name.ts'
import { MOST_COUNTED, type Due, type Some } from './office-day.ts'

type Row = {
  title: string
  period: string
  project_id: number
  number: string
  project: string
  folder_id: number | null
  due_on: string
  responsible: string | null
  is_late: boolean
}

/** Lists the duties that became late last, how many are late besides papers that are late themselves, and those that are due next. */
export async function listDueDuties(
  db: Database,
  reader: Reader,
  today: string,
  most: number,
): Promise<{ late: Some<Due>; next: Due[] }> {
  const isLate = sql<boolean>`due_on < ${today}::date`
  const some = (which: RawBuilder<boolean>, order: RawBuilder<unknown>) =>
    sql`(select * from duties where done_at is null and ${which} order by ${order}, id limit ${most})`
  const { rows } = await sql<Row>`
    select obligations.title, due.period, due.project_id, projects.number, projects.name as project, due.folder_id,
      due.due_on::text, users.name as responsible, due.due_on < ${today}::date as is_late
    from (${some(isLate, sql`due_on desc`)} union all ${some(sql<boolean>`not ${isLate}`, sql`due_on`)}) as due
    join obligations on obligations.id = due.obligation_id
    join projects on projects.id = due.project_id
    left join users on users.id = due.responsible_id and users.deactivated_at is null
    where ${isProjectSeen(reader)}`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from duties where done_at is null and ${isLate} and not exists (
        select from year_cells where year_cells.folder_id = duties.folder_id and year_cells.period = duties.period
          and year_cells.due_on < ${today}::date and year_cells.files_count = 0 and year_cells.excuse is null)
      limit ${MOST_COUNTED + 1}) as late`.execute(db)
  const years = await readAccountingYears(db, [...new Set(rows.map((row) => row.project_id))])
  const dueOf = (row: Row): Due => ({
    kind: 'duty',
    title: `${row.title} ${periodName(row.period, years.get(row.project_id) ?? null) || writeDay(row.period)}`,
    project: { id: row.project_id, number: row.number, name: row.project },
    folder: row.folder_id,
    period: row.period,
    due_on: row.due_on,
    responsible: row.responsible,
  })
  return {
    late: { rows: rows.filter((row) => row.is_late).map(dueOf), total: counted[0]!.count },
    next: rows.filter((row) => !row.is_late).map(dueOf),
  }
}
