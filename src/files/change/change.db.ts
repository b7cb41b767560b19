import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader, Visit } from '../../access/reader.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import { addLogEntries, type Actor, type Logged } from '../../log/log.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { mapInTurns } from '../../server/process/breather.ts'
import { periodInName } from '../names/file-name.ts'
import { conflict, invalid, notFound } from '../../server/http/errors.ts'
import { changeAtOnce, changingFiles, lockFiles } from './lock.db.ts'
import { namesThere, type MoveTarget } from './name-files.db.ts'
import { compareNewFiles } from './order.ts'
import { moveFilesInto, placesAtStart, type Placed } from './positions.db.ts'
import { ownerLogFields } from '../file/owner.db.ts'
import { openUserFolders } from '../file/user-folder.db.ts'

export type NewFile = {
  name: string
  blobId: number
  uploadedBy?: number | null
  createdAt?: Date
  /** Since when others see it; by default `createdAt`. */
  shownAt?: Date
  fromInvestor?: boolean
  submissionId?: number | null
  /** Only the office sees it. */
  isHeldBack?: boolean
  /** Its place among the new files, if they have an order of their own. */
  place?: number | null
}

/** New files for the start of a folder. The caller has locked the folder. */
export type NewFiles = { owner: FileOwner; folderId: number; files: NewFile[] }

/**
 * Adds files at the start of their folders, by their places or else sorted by `compareNewFiles`, with the periods in
 * their names. Returns their ids in the given order. The log names the import that they came with, if any.
 */
export async function addFiles(
  trx: Trx,
  actor: Actor,
  folders: NewFiles[],
  importId: number | null = null,
): Promise<number[]> {
  const blobs = folders.flatMap(({ files }) => files.map(({ blobId }) => blobId))
  if (blobs.length === 0) return []
  const places = await placesAtStart(
    trx,
    new Map(folders.map(({ folderId, files }) => [folderId, files.length])),
  )
  const all = folders.flatMap(({ files }) => files)
  const periods = new Map(await mapInTurns(all, (file) => [file, periodInName(file.name)]))
  const rows = folders.flatMap(({ folderId, files: given }) => {
    const files = given.map((file) => ({ ...file, period: periods.get(file) ?? null }))
    const inOrder = files.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0) || compareNewFiles(a, b))
    const placeOf = new Map(inOrder.map((file, index) => [file, places.get(folderId)![index]!]))
    return files.map((file) => rowOf(actor, folderId, placeOf.get(file)!, file))
  })
  const added = await insertFiles(trx, {
    blobs: [...new Set(blobs)],
    rows: JSON.stringify(rows),
    actor: actor.userId,
    token: actor.tokenId ?? null,
    address: actor.address,
    import_id: importId,
  })
  if (added.length < rows.length) throw conflict('En af filerne er ikke længere på serveren. Send den igen.')
  return added.map(({ id }) => id)
}

type NewRows = Pick<Logged, 'actor' | 'token' | 'address'> & {
  blobs: number[]
  rows: string
  import_id: number | null
}

/**
 * Adds files with their entries in the log. Locks their blobs until then, and adds nothing if one of them is already
 * being removed. Takes one JSON parameter, because the number of a statement's parameters is limited.
 */
const insertFiles = prepare<NewRows, { id: number }>(
  ({ blobs, rows, actor, token, address, import_id: importId }) => sql`
    with held as materialized (
      select id from blobs where id = any (${blobs}::bigint[]) and state = 'stored' for share
    ), added as (
      insert into files (folder_id, blob_id, name, key, period, position, uploaded_by, submission_id,
        from_investor, is_held_back, created_at, shown_at)
      select folder_id, blob_id, name, key, period, position, uploaded_by, submission_id, from_investor,
        is_held_back, coalesce(created_at, now()), coalesce(shown_at, created_at, now())
      from json_to_recordset(${rows}::json) as row (folder_id bigint, blob_id bigint, name text, key text,
        period text, position text, uploaded_by bigint, submission_id bigint, from_investor boolean,
        is_held_back boolean, created_at timestamptz, shown_at timestamptz)
      where (select count(*) from held) = cardinality(${blobs}::bigint[])
      returning id, folder_id, is_held_back
    ), entries as (
      insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
      select case when ${importId}::bigint is null then 'file-added' else 'file-imported' end, ${actor}::bigint,
        ${token}::bigint, ${address}::inet, folders.user_id, folders.project_id, folders.id, added.id,
        nullif(concat_ws(' ', ${importId}::bigint, case when added.is_held_back then 'draft' end), '')
      from added join folders on folders.id = added.folder_id order by added.id
    )
    select id from added order by id`,
)

function rowOf(actor: Actor, folderId: number, position: string, file: NewFile & { period: string | null }) {
  const {
    name,
    blobId,
    period,
    uploadedBy = actor.userId,
    createdAt,
    shownAt,
    submissionId = null,
    fromInvestor = false,
    isHeldBack = false,
  } = file
  return {
    folder_id: folderId,
    blob_id: blobId,
    name,
    key: randomBytes(16).toString('hex'),
    period,
    position,
    uploaded_by: uploadedBy,
    submission_id: submissionId,
    from_investor: fromInvestor,
    is_held_back: isHeldBack,
    created_at: createdAt ?? null,
    shown_at: shownAt ?? null,
  }
}

/** Finds the place that files move to: a folder of any project that the reader sees, or a person. */
export async function findTarget(
  db: Database,
  reader: Reader,
  { folder_id: folder, user_id: user }: { folder_id?: number | undefined; user_id?: number | undefined },
): Promise<MoveTarget> {
  if (folder === undefined) return { user: user! }
  const { rows } = await sql<{ project_id: number }>`
    select project_id from folders where id = ${folder} and project_id is not null and ${isFolderSeen(reader)}`.execute(
    db,
  )
  if (!rows[0]) throw notFound('Mappen findes ikke.')
  return { project: rows[0].project_id, folder }
}

type MoveOptions = {
  /** Whether the page warned that the move shows files to investors. */
  shares?: boolean | undefined
  /** Whether the number of the old place in a name becomes that of the new place. */
  rename?: boolean | undefined
}

/**
 * Moves files to the start of a folder, of the same owner or another, in their present order. Files of another owner
 * count as new there. Refuses a move that shows a file to investors if the page did not warn about it, because one of
 * the folders has just been changed. Returns the id to undo it by; null if all are there already.
 */
export async function moveFiles(
  db: Database | Trx,
  visit: Visit,
  owner: FileOwner,
  fileIds: number[],
  to: MoveTarget,
  { shares = true, rename = false }: MoveOptions = {},
): Promise<string | null> {
  if (!('project' in owner && 'folder' in to && owner.project === to.project))
    return moveAway(db, visit, owner, fileIds, to, rename)
  const { undo, changed, isRefused } = await moveWithin(db, visit, owner, fileIds, {
    target: to.folder,
    is_aware: shares,
  })
  if (isRefused) throw conflict('Nogen har lige ændret, hvem der kan se mappen. Listen er hentet igen.')
  return changed && undo
}

const moveWithin = changeAtOnce<{ is_aware: boolean }>({
  act: 'file-moved',
  kind: 'move',
  places: ({ target }) => sql`
    select was.id, (keys.keys)[row_number() over (order by locked.place, was.position)] as position,
      locked.visible_to_investors as is_shared
    from (
      select places_at_start(${target}::bigint, (select count(*) from was where folder_id <> ${target}::bigint)) as keys
    ) as keys, was join locked on locked.id = was.folder_id
    where was.folder_id <> ${target}::bigint`,
  change: ({ target }) => sql`folder_id = ${target}::bigint, position = places.position,
    shown_at = case when ${isTargetShared(target)} and not places.is_shared then now() else files.shown_at end`,
  isRefused: ({ target, is_aware: isAware }) => sql`(
    not ${isAware}::boolean and ${isTargetShared(target)} and exists (select from places where not is_shared))`,
})

const isTargetShared = (target: RawBuilder<number | null>) =>
  sql`(select visible_to_investors from locked where locked.id = ${target}::bigint)`

/** Moves files to another owner. */
const moveAway = changingFiles(moveAwayWithin)

async function moveAwayWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileIds: number[],
  to: MoveTarget,
  isRenamed: boolean,
): Promise<string | null> {
  const targetOf: FileOwner = 'user' in to ? { user: to.user } : { project: to.project }
  const folder = 'user' in to ? await openFolderOf(trx, to.user) : to.folder
  const { files } = await lockFiles(trx, reader, owner, fileIds, { target: folder, targetOf })
  const moved = files.filter((file) => file.folder_id !== folder)
  if (moved.length === 0) return null // a person's own files
  await addLogEntries(
    trx,
    actor,
    'file-moved-away',
    moved.map(({ id, folder_id: folderId }) => ({ ...ownerLogFields(owner), folderId, fileId: id })),
  )
  const places = (await placesAtStart(trx, new Map([[folder, moved.length]]))).get(folder)!
  return moveFilesInto(trx, actor, targetOf, {
    folder,
    isNew: true,
    names: isRenamed ? await namesThere(trx, owner, to, moved) : new Map(),
    places: moved.map(({ id }, index): Placed => ({ id, position: places[index]! })),
  })
}

async function openFolderOf(trx: Trx, user: number): Promise<number> {
  const { rows: investors } = await sql`
    select from users where id = ${user} and role = any (${rolesThat(hasOwnFiles)}) for share`.execute(trx)
  if (investors.length === 0) throw invalid({ user_id: ['Vælg en investor: Kun investorer har egne filer.'] })
  return (await openUserFolders(trx, [user])).get(user)!
}

const toTrash = changeAtOnce({
  act: 'file-deleted',
  kind: 'delete',
  change: ({ actor }) => sql`deleted_at = now(), deleted_by = ${actor}::bigint`,
})

/** Moves files to the trash. They keep their positions. Returns the id to undo it by. */
export const deleteFiles = async (
  db: Database | Trx,
  visit: Visit,
  owner: FileOwner,
  fileIds: number[],
): Promise<string> => (await toTrash(db, visit, owner, fileIds, {})).undo
