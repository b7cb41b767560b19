import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { decodeName, shownPath, splitPath } from './decode-path.ts'
import { whyNotTaken } from './not-taken.ts'
import { SourceGone, type TreeEntry } from './walk.server.ts'

/** Found; its content must be read; somebody must decide; can be stored; and the outcomes. */
export type ImportState =
  | 'found'
  | 'unread'
  | 'waiting'
  | 'ready'
  | 'imported'
  | 'there'
  | 'left'
  | 'gone'
  | 'undone'

/** The operator of the server sees what the office sees. */
export const OPERATOR: Reader = { id: 0, role: 'administrator' }

/** One import of a directory, as the steps of it need it. */
export type Import = { id: number; root: Buffer; made_by: number | null }

/** Begins an import of a directory, or continues the one that was begun. */
export async function openImport(db: Database, root: Buffer, madeBy: number | null): Promise<Import> {
  const { rows } = await sql<Import>`
    insert into imports (root, made_by) values (${root}, ${madeBy})
    on conflict (sha256(root)) where undone_at is null
    do update set made_by = coalesce(${madeBy}, imports.made_by)
    returning id, root, made_by`.execute(db)
  return rows[0]!
}

/** Lists the imports with the outcomes of their files, the newest first. */
export async function listImports(db: Database) {
  const { rows } = await sql<{
    id: number
    root: Buffer
    made_at: Date
    undone_at: Date | null
    counts: Partial<Record<ImportState, number>>
  }>`
    select id, root, made_at, undone_at, coalesce((
      select json_object_agg(state, count) from (
        select state, count(*) from import_files where import_id = imports.id group by state) as states), '{}') as counts
    from imports order by id desc`.execute(db)
  return rows.map(({ root, ...row }) => ({ ...row, root: decodeName(root) }))
}

export type Counts = Record<ImportState, number> & { bytes: number; ready_bytes: number }

/** Counts the files of an import by outcome. */
export async function countFiles(db: Database, importId: number): Promise<Counts> {
  const { rows } = await sql<{ state: ImportState; count: number; bytes: number }>`
    select state, count(*) as count, coalesce(sum(size), 0)::bigint as bytes
    from import_files where import_id = ${importId} group by state`.execute(db)
  const counts: Counts = {
    found: 0,
    unread: 0,
    waiting: 0,
    ready: 0,
    imported: 0,
    there: 0,
    left: 0,
    gone: 0,
    undone: 0,
    bytes: 0,
    ready_bytes: 0,
  }
  for (const { state, count, bytes } of rows) {
    counts[state] = count
    counts.bytes += bytes
    if (state === 'ready') counts.ready_bytes = bytes
  }
  return counts
}

/** How many papers of an import only the office sees: not read yet, and in doubt about their place. */
export type HeldCounts = { reading: number; doubt: number }

export async function countHeld(db: Database, importId: number): Promise<HeldCounts> {
  const { rows } = await sql<HeldCounts>`
    select count(*) filter (where cause = 'reading')::integer as reading,
      count(*) filter (where cause = 'doubt')::integer as doubt
    from held_papers join files on files.blob_id = held_papers.blob_id
    where files.id in (select file_id from import_files where import_id = ${importId} and state = 'imported')`.execute(
    db,
  )
  return rows[0]!
}

/** Begins a walk and returns its number. */
export async function beginWalk(db: Database, importId: number): Promise<number> {
  const { rows } = await sql<{ walks: number }>`
    update imports set walks = walks + 1 where id = ${importId} returning walks`.execute(db)
  return rows[0]!.walks
}

/**
 * Records what a walk has found. Unchanged files keep their state, decided files their decision, and imported files
 * stay imported.
 */
export async function addFound(
  db: Database,
  importId: number,
  walk: number,
  things: TreeEntry[],
  mostBytes: number,
): Promise<void> {
  const rows = things.map(({ path, kind, size, changedAt }) => {
    const names = splitPath(path).map(decodeName)
    const why = whyNotTaken({ kind, size, names }, mostBytes)
    return {
      path: path.toString('hex'),
      shown: shownPath(path),
      size,
      changed_at: changedAt,
      state: why === null ? 'found' : 'left',
      why: why ?? '',
    }
  })
  await sql`
    insert into import_files as known (import_id, path, shown, size, changed_at, walk, state, why)
    select ${importId}, decode(path, 'hex'), shown, size, changed_at, ${walk}, state, why
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as found (path text, shown text, size bigint, changed_at timestamptz, state text, why text)
    on conflict (import_id, sha256(path)) do update set
      walk = excluded.walk, size = excluded.size, changed_at = excluded.changed_at,
      is_read = known.is_read and known.changed_at is not distinct from excluded.changed_at
        and known.size = excluded.size,
      (state, why) = (
        select case
          when known.state in ('imported', 'there', 'undone') then known.state
          when excluded.state = 'left' then 'left'
          when known.is_by_hand and known.name is not null then 'ready'
          when known.is_by_hand and known.state = 'left' then 'left'
          when known.state in ('unread', 'waiting', 'ready') and known.changed_at = excluded.changed_at
            and known.size = excluded.size then known.state
          else 'found'
        end, case
          when known.state in ('imported', 'there') and (known.changed_at <> excluded.changed_at or known.size <> excluded.size)
            then 'Filen på drevet er ændret, efter at den blev flyttet ind.'
          when excluded.state = 'left' and known.state not in ('imported', 'there', 'undone') then excluded.why
          else known.why
        end)`.execute(db)
}

/** Ends a walk. Only a walk that could read every directory marks files as gone. */
export async function endWalk(db: Database, importId: number, walk: number, isWhole: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`update imports set walked = greatest(walked, ${walk}) where id = ${importId}`.execute(trx)
    if (!isWhole) return
    await sql`
      update import_files set state = 'gone', why = 'Findes ikke længere på drevet.'
      where import_id = ${importId} and walk < ${walk}
        and state in ('found', 'unread', 'waiting', 'ready', 'left') and not (state = 'left' and is_by_hand)`.execute(
      trx,
    )
  })
}

/** Refuses an empty drive that was not empty before, because it is probably not mounted. */
export async function refuseIfEmptied(db: Database, importId: number, shownRoot: string): Promise<void> {
  const { rows } = await sql`select from import_files where import_id = ${importId} limit 1`.execute(db)
  if (rows.length > 0)
    throw new SourceGone(
      `${shownRoot} is empty now, and was not before. Is the drive there? Run the same command again when it is.`,
    )
}
