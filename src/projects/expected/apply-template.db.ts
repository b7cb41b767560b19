import { sql } from 'kysely'
import { addLogEntries, type Actor } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'

/** How many folders of how many projects would get other expectations from the template. */
type Applied = { folders: number; projects: number }

/** Folders of projects that are not sold, with the template's folder of the same name, that expect something else. */
const DIFFERING = sql`
  folders join projects on projects.id = folders.project_id and projects.status <> 'sold'
  join folders as template on template.project_id is null and template.user_id is null and template.name = folders.name
    and (template.expects, template.expects_from, template.expects_to, template.due_months)
      is distinct from (folders.expects, folders.expects_from, folders.expects_to, folders.due_months)`

export async function countDiffering(db: Database): Promise<Applied> {
  const { rows } = await sql<Applied>`
    select count(*) as folders, count(distinct folders.project_id) as projects from ${DIFFERING}`.execute(db)
  return rows[0]!
}

/** Gives the folders of all projects that are not sold what the template's folder of the same name expects. */
export const applyExpectations = transactional(async (trx: Trx, actor: Actor): Promise<Applied> => {
  // In the order in which all lock them.
  await sql`select from folders where project_id is not null order by id for update`.execute(trx)
  const { rows } = await sql<{ project_id: number }>`
      with differing as materialized (
        select folders.id, template.expects, template.expects_from, template.expects_to, template.due_months
        from ${DIFFERING}
      )
      update folders set expects = differing.expects, expects_from = differing.expects_from,
        expects_to = differing.expects_to, due_months = differing.due_months
      from differing where folders.id = differing.id returning folders.project_id`.execute(trx)
  const projects = [...new Set(rows.map((row) => row.project_id))]
  await addLogEntries(
    trx,
    actor,
    'expectations-applied',
    projects.map((projectId) => ({ projectId })),
  )
  return { folders: rows.length, projects: projects.length }
})
