import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { FileOwner } from '../../access/reader.ts'
import { logChangedFile, loggedBy, type Actor } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { prepare, type Slots } from '../../server/database/prepared.ts'
import { ownerLogFields } from '../file/owner.db.ts'
import { listOldPlaces, rememberUndo, renewOldPlaces, type Undoable } from './remember-undo.db.ts'

/** A key gets this long after a few hundred moves to the same place. Then it and its neighbours get new keys. */
const LONG_KEY = 64
/** Keys of at most this length leave room for as many moves again. */
const SHORT_KEY = 24
/** How many files on each side get new keys at first. Four times as many are tried while that is not enough. */
const NEIGHBOURS = 32
const MOST_NEIGHBOURS = 2048

/** A file and its key in the folder. */
export type Placed = { id: number; position: string }

export const between = (lower: string | null, upper: string | null, count: number) =>
  generateNKeysBetween(lower, upper, count)

const listFirst = prepare<{ folders: number[] }, { folder_id: number; first: string | null }>(
  ({ folders }) => sql`
    select folder_id, (select min(position) from files where files.folder_id = asked.folder_id) as first
    from unnest(${folders}::bigint[]) as asked (folder_id)`,
)

/** Returns as many positions as asked for at the start of each folder, before all its files, deleted ones too. */
export async function placesAtStart(trx: Trx, counts: Map<number, number>): Promise<Map<number, string[]>> {
  const rows = await listFirst(trx, { folders: [...counts.keys()] })
  return new Map(rows.map(({ folder_id: id, first }) => [id, between(null, first, counts.get(id)!)] as const))
}

type Putting = Undoable & { files: number[]; positions: string[] }

const was = ({ files, positions }: Slots<Putting>) => sql`
  was as materialized (
    select files.id, files.folder_id, files.position, files.shown_at, folders.visible_to_investors as is_shared,
      placed.position as new_position
    from unnest(${files}::bigint[], ${positions}::text[]) as placed (id, position)
    join files on files.id = placed.id join folders on folders.id = files.folder_id
  )`

const sortQuery = prepare<Putting, { id: number }>(
  (slots) => sql`
    with ${was(slots)}, changed as (
      update files set position = was.new_position from was where files.id = was.id
      returning files.id, files.folder_id, files.position, was.folder_id as was_folder_id, was.position as was_position
    ), entries as (${logChangedFile('file-sorted', slots)})
    ${rememberUndo('order', slots)}`,
)

type Moving = Putting & { folder: number; is_new: boolean; names: (string | null)[] }

const moveQuery = prepare<Moving, { id: number }>(
  (slots) => sql`
    with ${was(slots)}, target as materialized (
      select visible_to_investors as is_shared from folders where id = ${slots.folder}::bigint
    ), named as materialized (
      select files.id, files.name as before, wanted.name as after
      from unnest(${slots.files}::bigint[], ${slots.names}::text[]) as wanted (id, name)
      join files on files.id = wanted.id where wanted.name is not null
    ), changed as (
      update files set folder_id = ${slots.folder}::bigint, position = was.new_position,
        name = coalesce(named.after, files.name),
        shown_at = case when ${slots.is_new}::boolean or (select is_shared from target) and not was.is_shared then now()
          else files.shown_at end
      from was left join named on named.id = was.id where files.id = was.id
      returning files.id, files.folder_id, files.position, files.shown_at, was.folder_id as was_folder_id,
        was.position as was_position, was.shown_at as was_shown_at, was.is_shared as was_shared,
        named.before as was_name, named.after as new_name
    ), entries as (${logChangedFile('file-moved', slots)}), renames as (
      ${logChangedFile('file-renamed', slots)} where new_name is not null returning id, file_id
    ), names as (
      insert into log_names (log_id, before, after)
      select renames.id, before, after from renames join named on named.id = renames.file_id
    )
    ${rememberUndo('move', slots)}`,
)

const puttingOf = (actor: Actor, owner: FileOwner, places: Placed[]): Putting => ({
  ...loggedBy(actor, ownerLogFields(owner)),
  undo: randomUUID(),
  files: places.map(({ id }) => id),
  positions: places.map(({ position }) => position),
})

/** Gives files of locked folders new places there, and logs it. Returns the id to undo it by. */
export async function sortFiles(
  trx: Trx,
  actor: Actor,
  owner: FileOwner,
  folders: Map<number, Placed[]>,
): Promise<string> {
  const putting = puttingOf(actor, owner, [...folders.values()].flat())
  await sortQuery(trx, putting)
  for (const [folder, places] of folders) await spreadIfLong(trx, folder, places)
  return putting.undo
}

type MovedInto = { folder: number; isNew?: boolean; names?: ReadonlyMap<number, string>; places: Placed[] }

/**
 * Moves files to places in a locked folder of `owner`, and logs it. Files that investors could not see before, or all
 * files if `isNew`, count as shown from now on. `names` are the new names of some. Returns the id to undo it by.
 */
export async function moveFilesInto(
  trx: Trx,
  actor: Actor,
  owner: FileOwner,
  { folder, isNew = false, names, places }: MovedInto,
): Promise<string> {
  const putting = puttingOf(actor, owner, places)
  await moveQuery(trx, {
    ...putting,
    folder,
    is_new: isNew,
    names: places.map(({ id }) => names?.get(id) ?? null),
  })
  return putting.undo
}

async function setPositions(trx: Trx, places: Placed[]): Promise<void> {
  await sql`
    update files set position = placed.position
    from unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ position }) => position)}::text[])
      as placed (id, position)
    where files.id = placed.id`.execute(trx)
}

/** Makes room if one of the places has a long key. */
export async function spreadIfLong(trx: Trx, folderId: number, places: Placed[]): Promise<void> {
  const longest = places.reduce((one, other) => (other.position.length > one.position.length ? other : one))
  if (longest.position.length > LONG_KEY) await spread(trx, folderId, longest.position)
}

const spreadLocked = transactional(async (trx: Trx, folderId: number, around: string): Promise<void> => {
  await sql`select from folders where id = ${folderId} for update`.execute(trx)
  await spread(trx, folderId, around)
})

/** Makes room around a place if it has a long key. */
export async function makeRoom(db: Database | Trx, folderId: number, position: string): Promise<void> {
  if (position.length > LONG_KEY) await spreadLocked(db, folderId, position)
}

/**
 * Gives the neighbours of a position new keys with room between them, and also the remembered places between them to
 * which files may return. How many it changes does not grow with the folder.
 */
async function spread(trx: Trx, folderId: number, around: string): Promise<void> {
  for (let each = NEIGHBOURS; ; each *= 4) {
    const { rows } = await sql<Placed & { is_bound: boolean }>`
      (select id, position, row_number() over (order by position desc) > ${each} as is_bound
       from files where folder_id = ${folderId} and position <= ${around} order by position desc limit ${each + 1})
      union all
      (select id, position, row_number() over (order by position) > ${each} as is_bound
       from files where folder_id = ${folderId} and position > ${around} order by position limit ${each + 1})
      order by position`.execute(trx)
    const inner = rows.filter((row) => !row.is_bound)
    const lower = rows[0]!.is_bound ? rows[0]!.position : null
    const upper = rows.at(-1)!.is_bound ? rows.at(-1)!.position : null
    const old = await listOldPlaces(trx, folderId, lower, upper)
    const all = [...new Set([...inner.map(({ position }) => position), ...old])].sort() // by code units, as "C" does
    const keys = between(lower, upper, all.length)
    const isRoomy = keys.every((key) => key.length <= SHORT_KEY)
    if (!isRoomy && each < MOST_NEIGHBOURS) continue
    const renewed = new Map(all.map((position, index) => [position, keys[index]!]))
    await setPositions(
      trx,
      inner.map(({ id, position }) => ({ id, position: renewed.get(position)! })),
    )
    return renewOldPlaces(
      trx,
      folderId,
      [...renewed].map(([position, key]) => ({ old: position, renewed: key })),
    )
  }
}
