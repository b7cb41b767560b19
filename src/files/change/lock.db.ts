import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader, Visit } from '../../access/reader.ts'
import { isDeletedFileSeen, isFileSeen, isFolderOf } from '../../access/seen.db.ts'
import type { Act } from '../../log/act.ts'
import { logChangedFile, loggedBy, type Logged } from '../../log/log.db.ts'
import type { Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { prepare, type Slots } from '../../server/database/prepared.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { onOwner } from '../owner.db.ts'

export type LockedFolder = { id: number; visible_to_investors: boolean }
export type LockedFile = { id: number; folder_id: number; blob_id: number; position: string }

const MOST_TRIES = 10

/** Somebody moved, deleted or restored the file while we waited for its folder. */
class MovedMeanwhile extends Error {}

/**
 * Makes of `work`, which locks a file, a function like `transactional` does. If somebody moves the file meanwhile, it
 * rolls back, which releases locks that others may wait for, and tries again.
 */
export function changingFile<Args extends unknown[], Result>(
  work: (trx: Trx, ...args: Args) => Promise<Result>,
): (db: Database | Trx, ...args: Args) => Promise<Result> {
  const once = transactional(work)
  return (db, ...args) => tryAgain(() => once(db, ...args))
}

/** Tries again while somebody else moves the file. */
async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
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
  const { rows } = await sql<LockedFolder>`
    select id from folders where id = any (${ids}) and ${isFolderOf(owner, reader)}
    order by id for update`.execute(trx)
  if (rows.length < new Set(ids).size) throw notFound('Mappen findes ikke.')
}

/** The values for a query that locks a file. `target` is the folder that the file moves to. */
type Asked = {
  file: number
  owner: number
  reader: number
  target: number | null
  target_owner: number
}

/** The differences between these queries. Each combination has a query of its own. */
type Asking = {
  role: Role
  kind: 'project' | 'user'
  targetKind: 'project' | 'user'
  isDeleted: boolean
}

/** Makes a query for each combination when it is first asked. */
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
 * The first parts of a query: finds a file (`seen`), locks its folder and the one that it moves to (`locked`) and then the
 * file itself (`file`), unless it is no longer in that folder. Counts the folders to have all of them locked first.
 */
function lockingParts(
  { role, kind, targetKind, isDeleted }: Asking,
  slots: Slots<Asked>,
): RawBuilder<unknown> {
  const reader = { id: slots.reader, role }
  const isTheirs = isFolderOf(queriedOwner(kind, slots.owner), reader)
  const isTarget = isFolderOf(queriedOwner(targetKind, slots.target_owner), reader)
  const isSeen = isDeleted ? isDeletedFileSeen(reader) : isFileSeen(reader)
  return sql`
    seen as materialized (
      select files.folder_id from files join folders on folders.id = files.folder_id
      where files.id = ${slots.file}::bigint and ${isTheirs} and ${isSeen}
    ), wanted as materialized (
      select folder_id from seen union select ${slots.target}::bigint from seen where ${slots.target}::bigint is not null
    ), locked as materialized (
      select folders.id, folders.visible_to_investors from folders
      where folders.id = any (array(select folder_id from wanted)) and (${isTheirs} or ${isTarget})
      order by folders.id for update
    ), file as materialized (
      select files.id, files.folder_id, files.blob_id, files.position
      from files join folders on folders.id = files.folder_id
      where (select count(*) from locked) = (select count(*) from wanted)
        and files.id = ${slots.file}::bigint and files.folder_id = (select folder_id from seen)
        and ${isTheirs} and ${isSeen}
      for update of files
    )`
}

type Options = { isDeleted?: boolean; target?: number; targetOf?: FileOwner }

function askedOf(
  { id, role }: Reader,
  owner: FileOwner,
  fileId: number,
  { isDeleted = false, target, targetOf = owner }: Options,
): { asking: Asking; asked: Asked } {
  const kindOf = (of: FileOwner) => ('user' in of ? ('user' as const) : ('project' as const))
  const idOf = (of: FileOwner) => ('user' in of ? of.user : of.project)
  return {
    asking: { role, kind: kindOf(owner), targetKind: kindOf(targetOf), isDeleted },
    asked: {
      file: fileId,
      owner: idOf(owner),
      reader: id,
      target: target ?? null,
      target_owner: idOf(targetOf),
    },
  }
}

type Locked = { seen_in: number; folders: LockedFolder[] | null } & {
  [Name in keyof LockedFile]: LockedFile[Name] | null
}

const lockQuery = forEachAsking((asking) =>
  prepare<Asked, Locked>(
    (slots) => sql`
      with ${lockingParts(asking, slots)}
      select seen.folder_id as seen_in, file.*, (select json_agg(locked) from locked) as folders
      from seen left join file on true`,
  ),
)

/** Locks a file and its folder. Also locks the folder that the file moves to, which may belong to another owner. */
export async function lockFile(
  trx: Trx,
  reader: Reader,
  owner: FileOwner,
  fileId: number,
  options: Options = {},
): Promise<{ file: LockedFile; folders: Map<number, LockedFolder> }> {
  const { asking, asked } = askedOf(reader, owner, fileId, options)
  const [row] = await lockQuery(asking)(trx, asked)
  if (!row) throw notFound('Filen findes ikke.')
  const { seen_in: seenIn, folders: locked, ...file } = row
  const folders = new Map((locked ?? []).map((folder) => [folder.id, folder]))
  if (!folders.has(seenIn) || !folders.has(options.target ?? seenIn)) throw notFound('Mappen findes ikke.')
  if (file.id === null) throw new MovedMeanwhile()
  return { file: file as LockedFile, folders } // all columns of a row, or none
}

/**
 * Makes an act that locks a file, changes it and logs that, in one query. `change` says what it sets; `isDeleted`, whether
 * the file is in the trash.
 */
export function changeAtOnce(
  act: Act,
  isDeleted: boolean,
  change: (slots: Slots<Logged>) => RawBuilder<unknown>,
): (db: Database | Trx, visit: Visit, owner: FileOwner, fileId: number) => Promise<void> {
  const changeQuery = forEachAsking((asking) =>
    prepare<Asked & Logged, { id: number | null }>(
      (slots) => sql`
        with ${lockingParts(asking, slots)}, changed as (
          update files set ${change(slots)} from file where files.id = file.id returning files.id, files.folder_id
        ), entry as (${logChangedFile(act, slots)})
        select changed.id from seen left join changed on true`,
    ),
  )
  return (db, { actor, reader }, owner, fileId) =>
    tryAgain(async () => {
      const { asking, asked } = askedOf(reader, owner, fileId, { isDeleted })
      const [row] = await changeQuery(asking)(db, { ...asked, ...loggedBy(actor, onOwner(owner)) })
      if (!row) throw notFound('Filen findes ikke.')
      if (row.id === null) throw new MovedMeanwhile()
    })
}
