import { sql } from 'kysely'
import { addLogEntries } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { lockTargets } from '../../uploads/form/lock-folders.db.ts'

const AT_A_TIME = 500
const MOST_TOLD = 100

/** Something was done to the import's files since, so it cannot be undone as a whole. */
export class NotUndone extends Error {
  readonly obstacles: string[]
  constructor(message: string, obstacles: string[] = []) {
    super(message)
    this.obstacles = obstacles
  }
}

/** Condition on `log`: somebody has done something to a file. Opening it does not count, nor does reading by Ringbind. */
const IS_ACT = sql<boolean>`(log.act not in ('file-imported', 'file-opened', 'file-downloaded')
  and not (log.act = 'file-published' and log.user_id is null))`

/** Condition on `import_files` and `files`: somebody has done something to the file. */
const IS_TOUCHED = sql<boolean>`(files.id is null or files.deleted_at is not null or exists (
  select from log where log.file_id = import_files.file_id and ${IS_ACT}))`

/**
 * Puts all files of an import into the trash, where they stay as long as other files. Refuses if something was done to
 * one of them. It may be stopped at any moment, and continues when it is called again.
 */
export async function undoTree(
  db: Database,
  id: number,
  { signal, heard }: { signal: AbortSignal; heard: (undone: number) => void },
): Promise<number> {
  const found = await db
    .selectFrom('imports')
    .select(['undone_at', 'made_by'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new NotUndone(`There is no import ${id}: see --list.`)
  const obstacles = await listObstacles(db, id)
  if (obstacles.length > 0)
    throw new NotUndone(`Import ${id} is not taken back: its files have been changed since.`, obstacles)
  await sql`update imports set undone_at = coalesce(undone_at, now()) where id = ${id}`.execute(db)
  for (let undone = 0; ;) {
    signal.throwIfAborted()
    const some = await db.transaction().execute((trx) => undoSome(trx, id, found.made_by))
    undone += some
    heard(some)
    if (some > 0) continue
    const late = await listObstacles(db, id)
    if (late.length > 0)
      throw new NotUndone(`${undone} files are in the trash; these were changed meanwhile.`, late)
    return undone
  }
}

async function listObstacles(db: Database, id: number): Promise<string[]> {
  const { rows } = await sql<{ shown: string; name: string | null; act: string | null }>`
    select shown, files.name, (
      select act from log where log.file_id = import_files.file_id and ${IS_ACT}
      order by log.id desc limit 1) as act
    from import_files left join files on files.id = import_files.file_id
    where import_files.import_id = ${id} and import_files.state = 'imported' and ${IS_TOUCHED}
    order by import_files.id limit ${MOST_TOLD}`.execute(db)
  return rows.map(
    ({ shown, name, act }) =>
      `${shown}${name === null ? '' : ` (now ${name})`}: ${act ?? 'deleted for good'}`,
  )
}

async function undoSome(trx: Trx, id: number, by: number | null): Promise<number> {
  const { rows } = await sql<{ id: number; folder_id: number }>`
    select import_files.id, files.folder_id
    from import_files join files on files.id = import_files.file_id
    where import_files.import_id = ${id} and import_files.state = 'imported' and not ${IS_TOUCHED}
    order by files.folder_id, import_files.id limit ${AT_A_TIME}`.execute(trx)
  if (rows.length === 0) return 0
  await lockTargets(trx, { ids: [...new Set(rows.map((row) => row.folder_id))] })
  // Checked again under the lock.
  const { rows: gone } = await sql<{
    file_id: number
    folder_id: number
    project_id: number | null
    user_id: number | null
  }>`
    with chosen as materialized (
      select import_files.id, import_files.file_id from import_files join files on files.id = import_files.file_id
      where import_files.id = any (${rows.map((row) => row.id)}::bigint[]) and import_files.state = 'imported'
        and not ${IS_TOUCHED}
    ), changed as (
      update files set deleted_at = now(), deleted_by = ${by}::bigint from chosen where files.id = chosen.file_id
      returning files.id as file_id, files.folder_id
    ), noted as (
      update import_files set state = 'undone', why = 'Flytningen er fortrudt.' from chosen where import_files.id = chosen.id
    )
    select changed.file_id, changed.folder_id, folders.project_id, folders.user_id
    from changed join folders on folders.id = changed.folder_id`.execute(trx)
  await addLogEntries(
    trx,
    { userId: by, address: null },
    'file-import-undone',
    gone.map((row) => ({
      userId: row.user_id,
      projectId: row.project_id,
      folderId: row.folder_id,
      fileId: row.file_id,
      detail: String(id),
    })),
  )
  return gone.length
}
