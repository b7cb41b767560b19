import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { listReadersOf } from '../../access/sight.db.ts'
import type { Sight } from '../../access/sight.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Actor } from '../../log/log.db.ts'
import { setApproval } from '../../office/office.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'

/** Reads what a submission's files show when they are published, and to whom. What is in the trash counts: it may be restored. */
export async function readPlanSight(trx: Database | Trx, submission: number): Promise<Sight> {
  const { rows: files } = await sql<Sight['files'][number]>`
    select files.id, files.folder_id as folder, coalesce(file_versions.blob_id, present.blob_id) as blob
    from ${filesOf(submission)} join files as present on present.id = files.id
    left join file_versions on file_versions.id = files.held_version order by files.id`.execute(trx)
  const folders = files.map(({ folder }) => folder)
  const readers = await listReadersOf(trx, folders)
  return { files, readers: readers.toSorted((a, b) => a.folder - b.folder), folders: [] }
}

/** Returns a short text that is another one if the files, their bytes or folders, or who will see them, are others. */
export async function readPapers(db: Database | Trx, submission: number): Promise<string> {
  const sight = JSON.stringify(await readPlanSight(db, submission))
  return hash('sha256', sight).slice(0, 32)
}

/** Refuses to approve something else than what the page showed, or what no page has shown. */
export async function refuseOtherPapers(
  trx: Trx,
  submission: number,
  shown: string | undefined,
): Promise<void> {
  if (shown !== (await readPapers(trx, submission)))
    throw conflict('Filerne, eller hvem der kan se dem, er ændret imens. Genindlæs siden.')
}

/** Remembers what plans were made for, when approval begins to be wanted: until then, they needed none. */
export const savePlans = transactional(async (trx: Trx): Promise<void> => {
  const { rows } = await sql<{ id: number; submission_id: number }>`
    select id, submission_id from releases where state = 'planned' and planned_for is null order by id for no key update`.execute(
    trx,
  )
  for (const { id, submission_id: submission } of rows)
    await sql`
      update releases set planned_for = ${JSON.stringify(await readPlanSight(trx, submission))}::jsonb
      where id = ${id}`.execute(trx)
})

/** Chooses whether a colleague has to approve what more people see, and stores what existing plans were made for. */
export const chooseApproval = transactional(
  async (trx: Trx, actor: Actor, isWanted: boolean): Promise<void> => {
    await setApproval(trx, actor, isWanted)
    if (isWanted) await savePlans(trx)
  },
)
