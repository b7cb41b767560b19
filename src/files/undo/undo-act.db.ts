import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import { UNDONE, type Act } from '../../log/words/act.ts'
import type { Actor } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { between, spreadIfLong, type Placed } from '../change/positions.db.ts'
import { IS_PENDING, KEPT_COLUMNS, listOldPlaces, type UndoKind } from '../change/remember-undo.db.ts'
import { changedText, CHANGING } from './undo-words.ts'

export const NO_UNDO = 'Det kan ikke fortrydes længere.'
const IS_UNDONE = 'Det er allerede fortrudt.'

/**
 * Undoes an act: restores what it changed of each file, and nothing else. If somebody has changed the same of one of
 * the files since, it changes nothing and says what and who. Each act is undone once, and only by the person who did it.
 */
export const undoAct = transactional(undoActWithin)

async function undoActWithin(trx: Trx, { actor, reader }: Visit, id: string): Promise<void> {
  const known = await findAct(trx, reader, id)
  // First the folders, in the order all code locks them: whoever changes a file or its old place has locked its folder.
  const folders = await lockFolders(trx, reader, known.folders)
  const { kind } = await findAct(trx, reader, id, sql`for update`)
  const files = await listFiles(trx, id, kind)
  const total = files.length
  const back = kind === 'order' ? files.filter((file) => !file.is_elsewhere) : files
  const changed = (back.length === 0 ? files : back).filter((file) => !file.is_same)
  if (changed.length > 0) throw conflict(await tellChange(trx, reader, changed, total))
  if (kind === 'move') checkFolders(folders, files)
  const places = kind === 'move' || kind === 'order' ? await findPlaces(trx, back) : back
  const done = await putBack(trx, actor, id, kind, places)
  // The trash was emptied in between.
  if (done < back.length) throw conflict(changedText(1, total, { ...GONE, act: 'file-removed' }))
  await sql`update undos set undone_at = now(), folders = '{}', files = '[]' where id = ${id}::uuid`.execute(
    trx,
  )
  if (kind === 'move' || kind === 'order')
    for (const [folder, there] of Map.groupBy(places, (file) => file.folder_id))
      await spreadIfLong(trx, folder, there)
}

type KnownAct = { kind: UndoKind; folders: number[] }

async function findAct(
  trx: Trx,
  reader: Reader,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<KnownAct> {
  const { rows } = await sql<KnownAct & { is_pending: boolean; is_undone: boolean }>`
    select kind, array_to_json(folders) as folders, ${IS_PENDING} as is_pending, undone_at is not null as is_undone
    from undos where id = ${id}::uuid and user_id = ${reader.id} ${lock}`.execute(trx)
  const [act] = rows
  if (!act) throw notFound(NO_UNDO)
  if (act.is_undone) throw conflict(IS_UNDONE)
  if (!act.is_pending) throw notFound(NO_UNDO)
  return act
}

type Folder = { id: number; name: string; visible_to_investors: boolean }

async function lockFolders(trx: Trx, reader: Reader, ids: number[]): Promise<Map<number, Folder>> {
  const { rows } = await sql<Folder>`
    select id, name, visible_to_investors from folders where id = any (${ids}) and ${isFolderSeen(reader)}
    order by id for update`.execute(trx)
  return new Map(rows.map((folder) => [folder.id, folder]))
}

/**
 * A file of the act: its old place (the position is '' if the act did not move it), and whether it is still as the act
 * left it.
 */
type Kept = Placed & {
  folder_id: number
  new_folder_id: number
  was_shared: boolean
  name: string | null
  is_same: boolean
  is_elsewhere: boolean
}

/**
 * The facts that must still be as the act left them. A new order can be undone for files in the trash, too. Where keys have been
 * renewed, those of the act were renewed along with them.
 */
const IS_SAME: Record<UndoKind, RawBuilder<boolean>> = {
  move: sql<boolean>`files.deleted_at is null and files.position = item.new_position
    and files.name = coalesce(item.new_name, files.name)`,
  order: sql<boolean>`files.position = item.new_position`,
  delete: sql<boolean>`files.deleted_at = item.new_deleted_at`,
  restore: sql<boolean>`files.deleted_at is null`,
  rename: sql<boolean>`files.deleted_at is null and files.name = item.new_name`,
  period: sql<boolean>`files.deleted_at is null and files.name = item.new_name
    and files.is_period_given = item.new_is_given and files.period is not distinct from item.new_period`,
}

const items = (id: string) => sql`(
  select item.* from undos, jsonb_to_recordset(undos.files) as item (${KEPT_COLUMNS}) where undos.id = ${id}::uuid
) as item`

async function listFiles(trx: Trx, id: string, kind: UndoKind): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select item.id, item.folder_id, item.new_folder_id, coalesce(item.position, '') as position,
      coalesce(item.was_shared, false) as was_shared, files.name,
      coalesce(files.folder_id = item.new_folder_id and ${IS_SAME[kind]}, false) as is_same,
      files.folder_id is distinct from item.new_folder_id as is_elsewhere
    from ${items(id)} left join files on files.id = item.id order by item.id`.execute(trx)
  return rows
}

const GONE = { name: null, by: null, isOwn: false }

async function tellChange(trx: Trx, reader: Reader, changed: Kept[], total: number): Promise<string> {
  const { id, name } = changed.find((file) => file.name !== null) ?? changed[0]!
  const { rows } = await sql<{ act: Act; user_id: number | null; by: string | null }>`
    select log.act, log.user_id, users.name as by from log left join users on users.id = log.user_id
    where log.file_id = ${id} and log.act = any (${CHANGING}) order by log.id desc limit 1`.execute(trx)
  const { act = null, user_id: userId = null, by = null } = rows[0] ?? {}
  return changedText(changed.length, total, { name, act, by, isOwn: userId === reader.id })
}

/** Refuses to show investors something that they could not see before the act. */
function checkFolders(folders: Map<number, Folder>, files: Kept[]): void {
  for (const file of files) {
    const folder = folders.get(file.folder_id)
    if (!folder) throw conflict('Den mappe, som filerne lå i, er siden slettet.')
    const isShown = folder.visible_to_investors && !folders.get(file.new_folder_id)?.visible_to_investors
    if (isShown && !file.was_shared)
      throw conflict(
        `Mappen ”${folder.name}” deles nu med investorer. Flyt selv filerne tilbage, hvis de må se dem.`,
      )
  }
}

/** Returns the files with their old positions. If another file has one now, uses the next position after it. */
async function findPlaces(trx: Trx, files: Kept[]): Promise<Kept[]> {
  const { rows } = await sql<{ id: number; holder: number; next: string | null }>`
    select wanted.id, files.id as holder, (
      select min(others.position) from files as others
      where others.folder_id = wanted.folder_id and others.position > wanted.position collate "C"
    ) as next
    from unnest(${files.map(({ id }) => id)}::bigint[], ${files.map((file) => file.folder_id)}::bigint[],
      ${files.map(({ position }) => position)}::text[]) as wanted (id, folder_id, position)
    join files on files.folder_id = wanted.folder_id and files.position = wanted.position collate "C"`.execute(
    trx,
  )
  const returning = new Set(files.map(({ id }) => id))
  const taken = new Map(rows.filter(({ holder }) => !returning.has(holder)).map((row) => [row.id, row]))
  if (taken.size === 0) return files
  const oldPlaces = new Map<number, string[]>()
  for (const folder of new Set(files.map((file) => file.folder_id)))
    oldPlaces.set(folder, (await listOldPlaces(trx, folder, null, null)).sort())
  return files.map((file) => {
    const row = taken.get(file.id)
    if (!row) return file
    // Files that return later come after this one, too.
    const nextOld = oldPlaces.get(file.folder_id)!.find((position) => position > file.position)
    const upper = [row.next, nextOld].flatMap((position) => position ?? []).sort()[0] ?? null
    return { ...file, position: between(file.position, upper, 1)[0]! }
  })
}

const PUT_BACK: Record<UndoKind, RawBuilder<unknown>> = {
  move: sql`folder_id = item.folder_id, position = placed.position, name = coalesce(item.name, files.name),
    shown_at = case when files.shown_at = item.new_shown_at then item.shown_at else files.shown_at end`,
  order: sql`position = placed.position`,
  delete: sql`deleted_at = null, deleted_by = null`,
  restore: sql`deleted_at = item.deleted_at, deleted_by = item.deleted_by`,
  rename: sql`name = item.name,
    period = case when files.is_period_given then files.period else item.period end`,
  period: sql`period = item.period, is_period_given = item.is_given`,
}

const ACTS: Record<UndoKind, Act> = {
  move: 'file-moved',
  order: 'file-sorted',
  delete: 'file-restored',
  restore: 'file-deleted',
  rename: 'file-renamed',
  period: 'file-period-changed',
}

const NAMES = sql`names as (
  insert into log_names (log_id, before, after)
  select entries.id, changed.new_name, changed.name from entries join changed on changed.id = entries.file_id
  where entries.act = 'file-renamed' and changed.name is not null
)`

/** Writes and logs it, in one query. Returns how many files it found. */
async function putBack(
  trx: Trx,
  { userId, tokenId, address }: Actor,
  id: string,
  kind: UndoKind,
  places: Placed[],
): Promise<number> {
  const entryOf = (act: Act) =>
    sql`${act}, ${userId}::bigint, ${tokenId ?? null}::bigint, ${address}::inet, folders.user_id, folders.project_id, folders.id, changed.id, ${UNDONE}`
  const { rows } = await sql<{ count: number }>`
    with changed as (
      update files set ${PUT_BACK[kind]}
      from ${items(id)} join unnest(${places.map((file) => file.id)}::bigint[],
        ${places.map(({ position }) => position)}::text[]) as placed (id, position) on placed.id = item.id
      where files.id = item.id
      returning files.id, files.folder_id, item.new_folder_id, item.name, item.new_name
    ), entries as (
      insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
      select ${entryOf('file-moved-away')} from changed
      join folders on folders.id = changed.new_folder_id join folders as home on home.id = changed.folder_id
      where home.user_id is distinct from folders.user_id or home.project_id is distinct from folders.project_id
      union all
      select ${entryOf(ACTS[kind])} from changed join folders on folders.id = changed.folder_id
      union all
      select ${entryOf('file-renamed')} from changed join folders on folders.id = changed.folder_id
      where ${kind === 'move'} and changed.name is not null
      returning id, file_id, act
    ), ${NAMES}
    select count(*) from changed`.execute(trx)
  return rows[0]!.count
}
