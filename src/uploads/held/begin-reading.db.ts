import { sql } from 'kysely'
import { isPaperHeld } from '../../access/sight.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'

/**
 * Tells the database whether papers are read here: then every act that opens a paper to somebody has it compared first.
 * When reading is turned on, what is shown already stays shown, and what waits to be published is held until it is
 * compared.
 */
export const beginReading = transactional(async (trx: Trx, isOn: boolean): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('paper-reading', 0))`.execute(trx)
  const { rows } = await sql`select from paper_reading where is_on`.execute(trx)
  if (rows.length > 0 === isOn) return
  if (isOn) {
    await sql`set local statement_timeout = 0`.execute(trx) // once, over all files
    await sql`
      insert into compared_papers (blob_id, project_id, user_id, is_shared)
      select files.blob_id, folders.project_id, folders.user_id, folders.visible_to_investors
      from files join folders on folders.id = files.folder_id
      left join releases on releases.submission_id = files.submission_id
      where not files.is_held_back or releases.state = 'recalled'
      on conflict (blob_id) do nothing`.execute(trx)
    await sql`
      insert into held_papers (blob_id, cause, held_by)
      select waiting.blob_id, 'reading', releases.made_by
      from (
        select files.blob_id, files.folder_id, files.submission_id from files where files.is_held_back
        union all
        select file_versions.blob_id, files.folder_id, file_versions.submission_id
        from file_versions join files on files.id = file_versions.file_id where file_versions.is_held_back
      ) as waiting
      join releases on releases.submission_id = waiting.submission_id and releases.state in ('draft', 'planned', 'waiting')
      where not is_compared(waiting.blob_id, waiting.folder_id)
        and not ${isPaperHeld(sql`waiting.blob_id`)}`.execute(trx)
  }
  await sql`
    insert into paper_reading (is_on) values (${isOn}) on conflict (is_only) do update set is_on = excluded.is_on`.execute(
    trx,
  )
})
