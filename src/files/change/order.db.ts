import { generateNKeysBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { addLogEntries, logChangedFile, loggedBy, type Logged } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { conflict } from '../../server/http/errors.ts'
import { changingFile, lockFile, lockFolders } from './lock.db.ts'
import { isSameSet, movedBetween } from './order.ts'
import { onOwner } from '../owner.db.ts'

/** A key gets this long after a few hundred moves to the same place. Then it and its neighbours get new keys. */
const LONG_KEY = 64
/** Keys of at most this length leave room for as many moves again. */
const SHORT_KEY = 24
/** How many files on each side get new keys at first. Four times as many are tried while that is not enough. */
const NEIGHBOURS = 32
const MOST_NEIGHBOURS = 2048

type Place = { id: number; position: string; is_live: boolean }

/** Moves a file one place up or down. Returns false at either end. */
export const moveFileBy = changingFile(moveFileByWithin)

async function moveFileByWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileId: number,
  way: 'up' | 'down',
): Promise<boolean> {
  const { file } = await lockFile(trx, reader, owner, fileId)
  const { folder_id: folderId } = file
  const [next] = await findNeighbours[way](trx, { folder: folderId, position: file.position })
  if (!next) return false
  const { neighbour, beyond } = next
  const [position] = way === 'up' ? between(beyond, neighbour, 1) : between(neighbour, beyond, 1)
  await placeFile(trx, { file: fileId, position: position!, ...loggedBy(actor, onOwner(owner)) })
  await spreadIfLong(trx, folderId, position!)
  return true
}

type Near = { neighbour: string; beyond: string | null }

/** Find the next live file's position, and the position after that, deleted ones too. */
const findNeighbours = {
  up: prepare<{ folder: number; position: string }, Near>(
    ({ folder, position }) => sql`
      select position as neighbour, (
        select max(position) from files as others
        where others.folder_id = ${folder}::bigint and others.position < files.position
      ) as beyond
      from files where folder_id = ${folder}::bigint and position < ${position}::text and deleted_at is null
      order by files.position desc limit 1`,
  ),
  down: prepare<{ folder: number; position: string }, Near>(
    ({ folder, position }) => sql`
      select position as neighbour, (
        select min(position) from files as others
        where others.folder_id = ${folder}::bigint and others.position > files.position
      ) as beyond
      from files where folder_id = ${folder}::bigint and position > ${position}::text and deleted_at is null
      order by files.position limit 1`,
  ),
}

const placeFile = prepare<Logged & { file: number; position: string }, { id: number }>(
  (slots) => sql`
    with changed as (
      update files set position = ${slots.position}::text where id = ${slots.file}::bigint returning id, folder_id
    ) ${logChangedFile('file-sorted', slots)} returning id`,
)

/**
 * Reorders an unbroken part of a folder, and writes only the files that really move. Refuses ids that are not such a
 * part of the folder (any more).
 */
export const updateOrder = transactional(updateOrderWithin)

async function updateOrderWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  folderId: number,
  newOrder: number[],
): Promise<void> {
  await lockFolders(trx, reader, owner, [folderId])
  const places = await listPlaces(trx, folderId, newOrder)
  const now = places.filter((place) => place.is_live).map(({ id }) => id)
  if (!isSameSet(now, newOrder))
    throw conflict('Rækkefølgen er ændret af en anden. Listen er hentet igen, så du kan prøve på ny.')
  const moved = movedBetween(now, newOrder)
  if (moved.size === 0) return
  await writePositions(trx, folderId, await placeBetween(trx, folderId, places, newOrder, moved))
  await addLogEntries(
    trx,
    actor,
    'file-sorted',
    [...moved].map((fileId) => ({ ...onOwner(owner), folderId, fileId })),
  )
}

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

/** Returns a position at the start of a folder, before all its files, deleted ones too. */
export async function placeAtStart(trx: Trx, folderId: number): Promise<string> {
  return (await placesAtStart(trx, new Map([[folderId, 1]]))).get(folderId)![0]!
}

/** Lists the places from the first to the last of these files, with all files between them, deleted ones too. */
async function listPlaces(trx: Trx, folderId: number, ids: number[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with part as (
      select min(position) as first, max(position) as last from files
      where id = any (${ids}) and folder_id = ${folderId} and deleted_at is null
    )
    select id, position, deleted_at is null as is_live from files, part
    where folder_id = ${folderId} and position between part.first and part.last
    order by position`.execute(trx)
  return rows
}

/** Finds a position for each file that moves, right after the file before it in the new order. The others stay. */
async function placeBetween(
  trx: Trx,
  folderId: number,
  places: Place[],
  newOrder: number[],
  moved: Set<number>,
): Promise<{ id: number; position: string }[]> {
  const indexOf = new Map(places.map(({ id }, index) => [id, index]))
  const found: { id: number; position: string }[] = []
  for (let start = 0; start < newOrder.length; start++) {
    if (!moved.has(newOrder[start]!)) continue
    let end = start
    while (end < newOrder.length && moved.has(newOrder[end]!)) end++
    const group = newOrder.slice(start, end)
    const before = start === 0 ? -1 : indexOf.get(newOrder[start - 1]!)!
    const lower = places[before]?.position ?? (await nextPosition(trx, folderId, places[0]!.position, 'up'))
    const upper =
      places[before + 1]?.position ?? (await nextPosition(trx, folderId, places.at(-1)!.position, 'down'))
    const keys = between(lower, upper, group.length)
    group.forEach((id, index) => found.push({ id, position: keys[index]! }))
    start = end
  }
  return found
}

/** Returns the nearest position above or below another one. */
async function nextPosition(
  trx: Trx,
  folderId: number,
  from: string,
  way: 'up' | 'down',
): Promise<string | null> {
  const { rows } = await (
    way === 'up'
      ? sql<{ position: string }>`
        select position from files where folder_id = ${folderId} and position < ${from}
        order by position desc limit 1`
      : sql<{ position: string }>`
        select position from files where folder_id = ${folderId} and position > ${from}
        order by position limit 1`
  ).execute(trx)
  return rows[0]?.position ?? null
}

const between = (lower: string | null, upper: string | null, count: number) =>
  generateNKeysBetween(lower, upper, count)

async function writePositions(
  trx: Trx,
  folderId: number,
  places: { id: number; position: string }[],
): Promise<void> {
  await setPositions(trx, places)
  const longest = places.reduce((one, other) => (other.position.length > one.position.length ? other : one))
  await spreadIfLong(trx, folderId, longest.position)
}

async function spreadIfLong(trx: Trx, folderId: number, position: string): Promise<void> {
  if (position.length > LONG_KEY) await spread(trx, folderId, position)
}

async function setPositions(trx: Trx, places: { id: number; position: string }[]): Promise<void> {
  await sql`
    update files set position = placed.position
    from unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ position }) => position)}::text[])
      as placed (id, position)
    where files.id = placed.id`.execute(trx)
}

/** Gives the neighbours of a position new keys with room between them. Their number does not grow with the folder. */
async function spread(trx: Trx, folderId: number, around: string): Promise<void> {
  for (let each = NEIGHBOURS; ; each *= 4) {
    const { rows } = await sql<{ id: number; position: string; is_bound: boolean }>`
      (select id, position, row_number() over (order by position desc) > ${each} as is_bound
       from files where folder_id = ${folderId} and position <= ${around} order by position desc limit ${each + 1})
      union all
      (select id, position, row_number() over (order by position) > ${each} as is_bound
       from files where folder_id = ${folderId} and position > ${around} order by position limit ${each + 1})
      order by position`.execute(trx)
    const inner = rows.filter((row) => !row.is_bound)
    const lower = rows[0]!.is_bound ? rows[0]!.position : null
    const upper = rows.at(-1)!.is_bound ? rows.at(-1)!.position : null
    const keys = between(lower, upper, inner.length)
    const isRoomy = keys.every((key) => key.length <= SHORT_KEY)
    if (!isRoomy && each < MOST_NEIGHBOURS) continue
    return setPositions(
      trx,
      inner.map(({ id }, index) => ({ id, position: keys[index]! })),
    )
  }
}
