import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader, Visit } from '../../access/reader.ts'
import { isDeletedFileSeen, isFileSeen, isFolderOf } from '../../access/seen.db.ts'
import type { Act } from '../../log/words/act.ts'
import { logChangedFile, loggedBy } from '../../log/log.db.ts'
import type { Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { prepare, type Slots } from '../../server/database/prepared.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { ownerLogFields } from '../file/owner.db.ts'
import { rememberUndo, type Undoable, type UndoKind } from './remember-undo.db.ts'

export type LockedFile = {
  id: number
  folder_id: number
  blob_id: number
  position: string
  name: string
  /** Whether investors see its folder, and the folder's place among others. */
  is_shared: boolean
  folder_place: number
}

const MOST_TRIES = 10

/** Somebody moved, deleted or restored a file while we waited for its folder. */
class MovedMeanwhile extends Error {}

/**
 * Turns `work`, which locks files, into a function, as `transactional` does. If somebody moves a file meanwhile, rolls
 * back, which releases locks that others may wait for, and tries again.
 */
export function changingFiles<Args extends unknown[], Result>(
  work: (trx: Trx, ...args: Args) => Promise<Result>,
): (db: Database | Trx, ...args: Args) => Promise<Result> {
  const once = transactional(work)
  return (db, ...args) => retried(db, () => once(db, ...args))
}

/** Inside a transaction, the caller that began it tries again: only a rollback releases the locks. */
const retried = <Result>(db: Database | Trx, work: () => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work() : tryAgain(work)

/** Tries again while somebody else moves a file. */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof MovedMeanwhile)) throw error
    }
  }
  throw conflict('Filen bliver flyttet af andre lige nu. Prøv igen.')
}

/** Locks folders, so that only one transaction at a time changes their content. The order by id prevents deadlocks. */
export async function lockFolders(trx: Trx, reader: Reader, owner: FileOwner, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from folders where id = any (${ids}) and ${isFolderOf(owner, reader)}
    order by id for update`.execute(trx)
  if (rows.length < new Set(ids).size) throw notFound('Mappen findes ikke.')
}

/** The values for a query that locks files, each given once. `target` is the folder that they move to. */
type Asked = {
  files: number[]
  owner: number
  reader: number
  target: number | null
  target_owner: number
}

/** Options that change these queries. Each combination has its own prepared query. */
type Asking = {
  role: Role
  kind: 'project' | 'user'
  targetKind: 'project' | 'user'
  isDeleted: boolean
}

/** Makes the query of a combination when it is first used. */
function forEachAsking<Query>(make: (asking: Asking) => Query): (asking: Asking) => Query {
  const made = new Map<string, Query>()
  return (asking) => {
    const key = Object.values(asking).join()
    const query = made.get(key) ?? make(asking)
    made.set(key, query)
    return query
  }
}

const queriedOwner = (kind: Asking['kind'], id: RawBuilder<number>) =>
  kind === 'user' ? { user: id } : { project: id }

/**
 * The first parts of a query: finds files (`seen`), locks their folders and the one that they move to (`locked`) and then
 * the files themselves (`was`), without those that are no longer in that folder. Counts the folders to have all of them
 * locked first. A file that is being read stays readable: its key does not change.
 */
function lockingParts(
  { role, kind, targetKind, isDeleted }: Asking,
  slots: Slots<Asked>,
): RawBuilder<unknown> {
  const reader = { id: slots.reader, role }
  const isTheirs = isFolderOf(queriedOwner(kind, slots.owner), reader)
  const isTarget = isFolderOf(queriedOwner(targetKind, slots.target_owner), reader)
  // As a case, no index can help to find the few deleted files: each is found by its id, and compared once.
  const isSeen = sql`case when ${isDeleted ? isDeletedFileSeen(reader) : isFileSeen(reader)} then true else false end`
  return sql`
    seen as materialized (
      select files.id, files.folder_id from files join folders on folders.id = files.folder_id
      where files.id = any (${slots.files}::bigint[]) and ${isTheirs} and ${isSeen}
    ), wanted as materialized (
      select folder_id from seen union select ${slots.target}::bigint from seen where ${slots.target}::bigint is not null
    ), locked as materialized (
      select folders.id, folders.place, folders.visible_to_investors from folders
      where folders.id = any (array(select folder_id from wanted)) and (${isTheirs} or ${isTarget})
      order by folders.id for update
    ), was as materialized (
      select files.id, files.folder_id, files.blob_id, files.position, files.name, files.deleted_at, files.deleted_by
      from seen join files on files.id = seen.id and files.folder_id = seen.folder_id
      join folders on folders.id = files.folder_id
      where (select count(*) from locked) = (select count(*) from wanted)
        and (select count(*) from seen) = cardinality(${slots.files}::bigint[])
        and ${isTheirs} and ${isSeen}
      order by files.id for no key update of files
    )`
}

type Options = { isDeleted?: boolean; target?: number; targetOf?: FileOwner }

function askedOf(
  { id, role }: Reader,
  owner: FileOwner,
  fileIds: number[],
  { isDeleted = false, target, targetOf = owner }: Options,
): { asking: Asking; asked: Asked } {
  const kindOf = (of: FileOwner) => ('user' in of ? ('user' as const) : ('project' as const))
  const idOf = (of: FileOwner) => ('user' in of ? of.user : of.project)
  return {
    asking: { role, kind: kindOf(owner), targetKind: kindOf(targetOf), isDeleted },
    asked: {
      files: fileIds,
      owner: idOf(owner),
      reader: id,
      target: target ?? null,
      target_owner: idOf(targetOf),
    },
  }
}

type Locked = { seen: number; are_folders_there: boolean; is_target_shared: boolean | null } & (
  | LockedFile
  | { id: null }
)

const lockQuery = forEachAsking((asking) =>
  prepare<Asked, Locked>(
    (slots) => sql`
      with ${lockingParts(asking, slots)}
      select asked.*, files.* from (
        select (select count(*) from seen) as seen,
          (select count(*) from locked) = (select count(*) from wanted) as are_folders_there,
          (select visible_to_investors from locked where locked.id = ${slots.target}::bigint) as is_target_shared
      ) as asked left join (
        select was.id, was.folder_id, was.blob_id, was.position, was.name,
          locked.visible_to_investors as is_shared, locked.place as folder_place
        from was join locked on locked.id = was.folder_id
      ) as files on true`,
  ),
)

/**
 * Locks files, each given once, and their folders. Also locks the folder that they move to, which may belong to another
 * owner. Returns the files in their present order.
 */
export async function lockFiles(
  trx: Trx,
  reader: Reader,
  owner: FileOwner,
  fileIds: number[],
  options: Options = {},
): Promise<{ files: LockedFile[]; isTargetShared: boolean }> {
  const { asking, asked } = askedOf(reader, owner, fileIds, options)
  const rows = await lockQuery(asking)(trx, asked)
  checkAllThere(rows[0]?.seen ?? 0, fileIds)
  if (!rows[0]!.are_folders_there) throw notFound('Mappen findes ikke.')
  const files = rows.filter((row) => row.id !== null)
  if (files.length < fileIds.length) throw new MovedMeanwhile()
  return {
    files: files.toSorted((a, b) => a.folder_place - b.folder_place || (a.position < b.position ? -1 : 1)),
    isTargetShared: rows[0]!.is_target_shared ?? false,
  }
}

function checkAllThere(found: number, fileIds: number[]): void {
  if (found === fileIds.length) return
  throw notFound(fileIds.length === 1 ? 'Filen findes ikke.' : 'En eller flere af filerne findes ikke.')
}

/**
 * Makes an act that locks files, changes them and logs it, in one query. `change` is what it sets; `isDeleted` means
 * that the files are in the trash. The act returns the id to undo it by.
 */
export function changeAtOnce(
  act: Act,
  kind: UndoKind,
  isDeleted: boolean,
  change: (slots: Slots<Undoable>) => RawBuilder<unknown>,
): (db: Database | Trx, visit: Visit, owner: FileOwner, fileIds: number[]) => Promise<string> {
  const changeQuery = forEachAsking((asking) =>
    prepare<Asked & Undoable, { seen: number; changed: number }>(
      (slots) => sql`
        with ${lockingParts(asking, slots)}, changed as (
          update files set ${change(slots)} from was
          where files.id = was.id and (select count(*) from was) = cardinality(${slots.files}::bigint[])
          returning files.id, files.folder_id, files.deleted_at, was.folder_id as was_folder_id,
            was.deleted_at as was_deleted_at, was.deleted_by as was_deleted_by
        ), entries as (${logChangedFile(act, slots)}), undo as (${rememberUndo(kind, slots)})
        select (select count(*) from seen) as seen, (select count(*) from changed) as changed`,
    ),
  )
  return (db, { actor, reader }, owner, fileIds) =>
    retried(db, async () => {
      const { asking, asked } = askedOf(reader, owner, fileIds, { isDeleted })
      const undo = randomUUID()
      const given = { ...asked, ...loggedBy(actor, ownerLogFields(owner)), undo }
      const [row] = await changeQuery(asking)(db, given)
      checkAllThere(row?.seen ?? 0, fileIds)
      if (row!.changed < fileIds.length) throw new MovedMeanwhile()
      return undo
    })
}
