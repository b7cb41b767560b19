import { sql } from 'kysely'
import { listReadersOf } from '../access/sight.db.ts'
import type { Sight } from '../access/sight.ts'
import { filesOf } from '../files/versions/shown.db.ts'
import { transactional, type Trx } from '../server/database/database.ts'

/** Reads what a submission's files show when they are published, and to whom. What is in the trash counts: it may be restored. */
export async function readPlanSight(trx: Trx, submission: number): Promise<Sight> {
  const { rows: files } = await sql<Sight['files'][number]>`
    select files.id, files.folder_id as folder, coalesce(file_versions.blob_id, present.blob_id) as blob
    from ${filesOf(submission)} join files as present on present.id = files.id
    left join file_versions on file_versions.id = files.held_version order by files.id`.execute(trx)
  const readers = await listReadersOf(
    trx,
    files.map(({ folder }) => folder),
  )
  return { files, readers, folders: [] }
}

/** Remembers what plans were made for, when approval begins to be wanted: until then, they needed none. */
export const keepPlans = transactional(async (trx: Trx): Promise<void> => {
  const { rows } = await sql<{ id: number; submission_id: number }>`
    select id, submission_id from releases where state = 'planned' and planned_for is null order by id for no key update`.execute(
    trx,
  )
  for (const { id, submission_id: submission } of rows)
    await sql`
      update releases set planned_for = ${JSON.stringify(await readPlanSight(trx, submission))}::jsonb
      where id = ${id}`.execute(trx)
})
