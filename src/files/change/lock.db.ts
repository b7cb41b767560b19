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
  /** PostgreSQL keeps the plan of a query for one file; for more it would make one each time. */
  isOne: boolean
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
  { role, kind, targetKind, isDeleted, isOne }: Asking,
  slots: Slots<Asked>,
): RawBuilder<unknown> {
  const reader = { id: slots.reader, role }
  const isTheirs = isFolderOf(queriedOwner(kind, slots.owner), reader)
  const isTarget = isFolderOf(queriedOwner(targetKind, slots.target_owner), reader)
  // As a case, no index can help to find the few deleted files: each is found by its id, and compared once.
  const isSeen = sql`case when ${isDeleted ? isDeletedFileSeen(reader) : isFileSeen(reader)} then true else false end`
  const isAsked = isOne
    ? sql`files.id = (${slots.files}::bigint[])[1]`
    : sql`files.id = any (${slots.files}::bigint[])`
  return sql`
    seen as materialized (
      select files.id, files.folder_id from files join folders on folders.id = files.folder_id
      where ${isAsked} and ${isTheirs} and ${isSeen}
    ), wanted as materialized (
      select folder_id from seen union select ${slots.target}::bigint from seen where ${slots.target}::bigint is not null
    ), locked as materialized (
      select folders.id, folders.place, folders.visible_to_investors from folders
      where folders.id = any (array(select folder_id from wanted)) and (${isTheirs} or ${isTarget})
      order by folders.id for update
    ), was as materialized (
      select files.id, files.folder_id, files.blob_id, files.position, files.name, files.shown_at,
        files.deleted_at, files.deleted_by
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
    asking: {
      role,
      kind: kindOf(owner),
      targetKind: kindOf(targetOf),
      isDeleted,
      isOne: fileIds.length === 1,
    },
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

/** `More` are the values that an act adds to its query. */
type AtOnce<More extends object> = {
  act: Act
  kind: UndoKind
  /** Whether the files are in the trash. */
  isDeleted?: boolean
  /** Finds new places: a part `places` of `id`, `position` and `is_shared`, with a row for each file that gets one. */
  places?: (slots: Slots<Asked & More>) => RawBuilder<unknown>
  /** The columns that the act sets. */
  change: (slots: Slots<Asked & Undoable & More>) => RawBuilder<unknown>
  /** Condition under which nothing is changed. */
  isRefused?: (slots: Slots<Asked & More>) => RawBuilder<unknown>
}

type Done = {
  seen: number
  are_folders_there: boolean
  locked: number
  is_refused: boolean
  /** One of the files that were changed; null if none was. */
  changed: { folder: number; position: string } | null
}

type DoneAtOnce = { undo: string; changed: Done['changed']; isRefused: boolean }

/** Makes an act that locks files, changes them and logs it, in one query. The act returns the id to undo it by. */
export function changeAtOnce<More extends object = object>({
  act,
  kind,
  isDeleted = false,
  places,
  change,
  isRefused,
}: AtOnce<More>): (
  db: Database | Trx,
  visit: Visit,
  owner: FileOwner,
  fileIds: number[],
  more: More & { target?: number },
) => Promise<DoneAtOnce> {
  const changeQuery = forEachAsking((asking) =>
    prepare<Asked & Undoable & More, Done>(
      (slots) => sql`
        with ${lockingParts(asking, slots)}, ${places ? sql`places as materialized (${places(slots)}), ` : sql``}
        changed as (
          update files set ${change(slots)} from was ${places ? sql`join places on places.id = was.id` : sql``}
          where files.id = was.id and (select count(*) from was) = cardinality(${slots.files}::bigint[])
            ${isRefused ? sql`and not ${isRefused(slots)}` : sql``}
          returning files.id, files.folder_id, files.position, files.shown_at, files.deleted_at,
            was.folder_id as was_folder_id, was.position as was_position, was.shown_at as was_shown_at,
            was.deleted_at as was_deleted_at, was.deleted_by as was_deleted_by,
            ${places ? sql`places.is_shared` : sql`null::boolean`} as was_shared, null::text as was_name, null::text as new_name
        ), entries as (${logChangedFile(act, slots)}), undo as (${rememberUndo(kind, slots)})
        select (select count(*) from seen) as seen, (select count(*) from was) as locked,
          (select count(*) from locked) = (select count(*) from wanted) as are_folders_there,
          ${isRefused ? isRefused(slots) : sql`false`} as is_refused,
          (select json_build_object('folder', folder_id, 'position', position) from changed limit 1) as changed`,
    ),
  )
  return (db, { actor, reader }, owner, fileIds, more) =>
    retried(db, async () => {
      const { asking, asked } = askedOf(reader, owner, fileIds, { isDeleted, ...more })
      const undo = randomUUID()
      const given = { ...more, ...asked, ...loggedBy(actor, ownerLogFields(owner)), undo }
      const [row] = await changeQuery(asking)(db, given)
      checkAllThere(row?.seen ?? 0, fileIds)
      if (!row!.are_folders_there) throw notFound('Mappen findes ikke.')
      if (row!.locked < fileIds.length) throw new MovedMeanwhile()
      return { undo, changed: row!.changed, isRefused: row!.is_refused }
    })
}
