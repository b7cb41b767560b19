import { sql } from 'kysely'
import type { Trx } from '../../server/database/database.ts'
import { countFiles } from '../../projects/folder.ts'
import { KEPT_COLUMNS } from '../undo/record.db.ts'
import type { MoveTarget } from './change.db.ts'

/** '”Budget.pdf”', or '12 filer'. */
export async function nameFiles(trx: Trx, files: number[]): Promise<string> {
  if (files.length !== 1) return countFiles(files.length)
  const { rows } = await sql<{ name: string }>`select name from files where id = ${files[0]}`.execute(trx)
  return rows[0] ? `”${rows[0].name}”` : 'en fil'
}

/** 'Budget i K/S Et', 'Bo Holm'. */
export async function namePlace(trx: Trx, to: MoveTarget): Promise<string> {
  const { rows } =
    'user' in to
      ? await sql<{ name: string }>`select name from users where id = ${to.user}`.execute(trx)
      : await sql<{ name: string }>`
          select folders.name || ' i ' || projects.name as name
          from folders join projects on projects.id = folders.project_id where folders.id = ${to.folder}`.execute(
          trx,
        )
  return rows[0]?.name ?? 'et andet sted'
}

/** Lists the files of an act that can be taken back. */
export async function listUndoFiles(trx: Trx, id: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item.id from undos, jsonb_to_recordset(undos.files) as item (${KEPT_COLUMNS}) where undos.id = ${id}::uuid`.execute(
    trx,
  )
  return rows.map((row) => row.id)
}
