import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import { FILE_YEAR } from '../file/file-year.db.ts'
import { changeAtOnce, changingFiles, lockFiles, lockFolders, type LockedFile } from './lock.db.ts'
import { isSameSet, movedBetween, type SortBy } from './order.ts'
import { between, makeRoom, sortFiles, type Placed } from './positions.db.ts'

type Place = Placed & { is_live: boolean }

const step = changeAtOnce<{ is_up: boolean }>({
  act: 'file-sorted',
  kind: 'order',
  places: ({ is_up: isUp }) => sql`
    select * from (
      select id, place_beside(folder_id, position, ${isUp}::boolean) as position, null::boolean as is_shared from was
    ) as beside where position is not null`,
  change: () => sql`position = places.position`,
})

/** Moves a file one place up or down. Returns the id to undo it by; null at either end. */
export async function moveFileBy(
  db: Database | Trx,
  visit: Visit,
  owner: FileOwner,
  fileId: number,
  way: 'up' | 'down',
): Promise<string | null> {
  const { undo, changed } = await step(db, visit, owner, [fileId], { is_up: way === 'up' })
  if (!changed) return null
  await makeRoom(db, changed.folder, changed.position)
  return undo
}

/**
 * Reorders an unbroken part of a folder, and writes only the files that really move. Refuses ids that are not, or no
 * longer, such a part of the folder. Returns the id to undo it by; null if nothing moves.
 */
export const updateOrder = transactional(updateOrderWithin)

async function updateOrderWithin(
  trx: Trx,
  visit: Visit,
  owner: FileOwner,
  folderId: number,
  newOrder: number[],
): Promise<string | null> {
  await lockFolders(trx, visit.reader, owner, [folderId])
  const places = await listPlaces(trx, folderId, newOrder)
  const now = places.filter((place) => place.is_live).map(({ id }) => id)
  if (!isSameSet(now, newOrder)) throw conflict('En anden har ændret rækkefølgen. Listen er hentet igen.')
  return reorder(trx, visit, owner, folderId, { places, now, next: newOrder })
}

type Reordering = { places: Place[]; now: number[]; next: number[] }

async function reorder(
  trx: Trx,
  { actor }: Visit,
  owner: FileOwner,
  folderId: number,
  { places, now, next }: Reordering,
): Promise<string | null> {
  const moved = movedBetween(now, next)
  if (moved.size === 0) return null
  const found = await placeBetween(trx, folderId, places, next, moved)
  return sortFiles(trx, actor, owner, new Map([[folderId, found]]))
}

/** A folder with more files cannot be sorted. */
export const MOST_SORTED = 50_000

const SORTED_BY: Record<SortBy, RawBuilder<unknown>> = {
  name: sql`name`,
  year: FILE_YEAR,
  date: sql`created_at`,
}

/**
 * Sorts a whole folder once. Files without a year come last either way, equal ones by name. Deleted files keep their
 * places. Returns the id to undo it by; null if nothing moves.
 */
export const sortFolder = transactional(sortFolderWithin)

async function sortFolderWithin(
  trx: Trx,
  visit: Visit,
  owner: FileOwner,
  folderId: number,
  { by, direction }: { by: SortBy; direction: 'asc' | 'desc' },
): Promise<string | null> {
  await lockFolders(trx, visit.reader, owner, [folderId])
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const { rows: places } = await sql<Place & { rank: number }>`
    select id, position, deleted_at is null as is_live,
      row_number() over (order by ${SORTED_BY[by]} ${way} nulls last, name, id)::integer as rank
    from files where folder_id = ${folderId} order by position limit ${MOST_SORTED + 1}`.execute(trx)
  if (places.length > MOST_SORTED)
    throw invalid({ by: [`En mappe med over ${formatCount(MOST_SORTED)} filer kan ikke sorteres.`] })
  const live = places.filter((place) => place.is_live)
  const now = live.map(({ id }) => id)
  const next = live.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id)
  return reorder(trx, visit, owner, folderId, { places, now, next })
}

/**
 * Moves files to the top or bottom of their folders, in their present order. Leaves folders in which they are there
 * already. Returns the id to undo it by; null if nothing moves.
 */
export const placeFiles = changingFiles(placeFilesWithin)

async function placeFilesWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileIds: number[],
  to: 'top' | 'bottom',
): Promise<string | null> {
  const { files } = await lockFiles(trx, reader, owner, fileIds)
  const inFolder = Map.groupBy(files, (file) => file.folder_id)
  const ends = await findEnds(trx, inFolder, to)
  if (ends.length === 0) return null
  const placed = ends.map(({ id, first, last }) => {
    const theirs = inFolder.get(id)!
    const keys = to === 'top' ? between(null, first, theirs.length) : between(last, null, theirs.length)
    return [id, theirs.map((file, index) => ({ id: file.id, position: keys[index]! }))] as const
  })
  return sortFiles(trx, actor, owner, new Map(placed))
}

type Ends = { id: number; first: string; last: string }

/** Finds the first and last position of each folder in which another live file is nearer to the end than one of these. */
async function findEnds(
  trx: Trx,
  inFolder: Map<number, LockedFile[]>,
  to: 'top' | 'bottom',
): Promise<Ends[]> {
  const ids = [...inFolder.values()].flat().map(({ id }) => id)
  const farthest = [...inFolder.values()].map((files) => files.at(to === 'top' ? -1 : 0)!.position)
  const isNearer = to === 'top' ? sql`files.position < asked.farthest` : sql`files.position > asked.farthest`
  const { rows } = await sql<Ends>`
    select asked.id,
      (select min(position) from files where folder_id = asked.id) as first,
      (select max(position) from files where folder_id = asked.id) as last
    from unnest(${[...inFolder.keys()]}::bigint[], ${farthest}::text[]) as asked (id, farthest)
    where exists (
      select from files where files.folder_id = asked.id and ${isNearer} and deleted_at is null
        and files.id <> all (${ids}::bigint[]))`.execute(trx)
  return rows
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
): Promise<Placed[]> {
  const indexOf = new Map(places.map(({ id }, index) => [id, index]))
  const found: Placed[] = []
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
