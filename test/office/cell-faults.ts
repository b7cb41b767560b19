import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'

/** Lists the cells that do not say how many files there are, by counting all of them. */
export async function findCellFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select format('folder %s, %s: kept %s and %s, there are %s and %s', folder_id, period, kept.files_count,
      kept.shown_count, counted.files, counted.shown) as fault
    from (
      select folder_id, period, count(*) as files, count(*) filter (where not is_held_back) as shown
      from files join folders on folders.id = files.folder_id
      where deleted_at is null and period is not null and project_id is not null group by folder_id, period
    ) as counted full join year_cells as kept using (folder_id, period)
    where coalesce(kept.files_count, 0) <> coalesce(counted.files, 0)
      or coalesce(kept.shown_count, 0) <> coalesce(counted.shown, 0)
    union all
    select format('folder %s, %s is of project %s', folder_id, period, year_cells.project_id)
    from year_cells join folders on folders.id = folder_id where folders.project_id is distinct from year_cells.project_id`.execute(
    db,
  )
  return rows.map(({ fault }) => fault)
}
