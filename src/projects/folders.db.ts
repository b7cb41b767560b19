import { sql } from 'kysely'
import type { Edit } from '../server/edits.ts'
import { addLogEntry, renamed, type Actor } from '../log/log.db.ts'
import { transactional, isUsed, type Database, type Trx } from '../server/database/database.ts'
import { settle } from '../server/edits.ts'
import { conflict, invalid, notFound } from '../server/http/errors.ts'
import { expectSame } from './expected/expects.ts'
import { takeNames } from './folder-names.db.ts'
import {
  FOLDER_WORDS,
  folderKey,
  folderValues,
  moveInOrder,
  projectOf,
  type Folder,
  type FolderFields,
  type FolderMove,
  type FolderSet,
} from './folder.ts'

type Settings = Omit<Folder, 'id' | 'files_count'>

const MOST_FOLDERS = 200

const SETTINGS = [
  'name',
  'sub_names',
  'visible_to_investors',
  'files_count',
  'expects',
  'expects_from',
  'expects_to',
  'due_months',
] as const

export async function listFolders(db: Database | Trx, set: FolderSet): Promise<Folder[]> {
  return foldersOf(db, set)
    .select(['id', ...SETTINGS])
    .orderBy('place')
    .execute()
}

function foldersOf(db: Database | Trx, set: FolderSet) {
  const folders = db.selectFrom('folders')
  return set === 'template'
    ? folders.where('project_id', 'is', null).where('user_id', 'is', null)
    : folders.where('project_id', '=', set)
}

/** Copies the template's folders to new projects. */
export async function copyTemplate(trx: Trx, projects: number | number[]): Promise<void> {
  await sql`
    with copied as (
      insert into folders (project_id, name, sub_names, visible_to_investors, place, expects, expects_from, expects_to,
        due_months)
      select project, name, sub_names, visible_to_investors, place, expects, expects_from, expects_to, due_months
      from folders, unnest(${[projects].flat()}::bigint[]) as project
      where project_id is null and user_id is null
      order by project, place
      returning id, project_id, place
    )
    insert into folder_names (project_id, key, folder_id)
    select copied.project_id, key, copied.id
    from folder_names
    join folders on folders.id = folder_names.folder_id
    join copied on copied.place = folders.place
    where folder_names.project_id is null and folders.user_id is null`.execute(trx)
}

/** Changes folders, and returns all of them afterwards. */
export const workOnFolders = transactional(
  async (
    trx: Trx,
    set: FolderSet,
    work: (trx: Trx, set: FolderSet) => Promise<unknown>,
  ): Promise<Folder[]> => {
    await work(trx, set)
    return listFolders(trx, set)
  },
)

export async function addFolder(
  trx: Trx,
  actor: Actor,
  set: FolderSet,
  fields: FolderFields,
): Promise<number> {
  await lockFolders(trx, set)
  const { count, last } = await foldersOf(trx, set)
    .select((is) => [is.fn.countAll<number>().as('count'), is.fn.max('place').as('last')])
    .executeTakeFirstOrThrow()
  if (count >= MOST_FOLDERS) throw invalid({ name: [`Der kan højst være ${MOST_FOLDERS} mapper.`] })
  const { id } = await trx
    .insertInto('folders')
    .values({ ...fields, project_id: projectOf(set), place: (last ?? 0) + 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await takeNames(trx, set, id, fields)
  const detail = fields.visible_to_investors ? { detail: 'shared' } : {}
  await addLogEntry(trx, actor, 'folder-added', { projectId: projectOf(set), folderId: id, ...detail })
  return id
}

/** If somebody else has changed the same field since the form was opened, refuses with both values. */
export async function changeFolder(
  trx: Trx,
  actor: Actor,
  set: FolderSet,
  id: number,
  changes: FolderFields,
  edit: Edit | null = null,
): Promise<number> {
  await lockFolders(trx, set)
  const { files_count: _count, ...before } = await getFolder(trx, set, id)
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const mine = folderValues({ ...before, ...said })
  const { expected, ...named } = settle(edit, FOLDER_WORDS, mine, folderValues(before))
  const fields = { ...named, ...expected }
  if (isSame(before, fields)) return id
  const isLetIn = fields.visible_to_investors && !before.visible_to_investors
  await trx
    .updateTable('folders')
    .set({
      ...fields,
      changed_at: sql`now()`,
      shown_changed_at: sql`now()`,
      ...(isLetIn && { shared_at: sql`now()` }),
    })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('folder_names').where('folder_id', '=', id).execute()
  await takeNames(trx, set, id, fields)
  const on = { projectId: projectOf(set), folderId: id }
  const { visible_to_investors: isShared } = fields
  if (!isSame({ ...before, visible_to_investors: isShared }, fields))
    await addLogEntry(trx, actor, 'folder-changed', { ...on, names: renamed(before.name, fields.name) })
  if (isShared !== before.visible_to_investors)
    await addLogEntry(trx, actor, isShared ? 'folder-shared' : 'folder-unshared', on)
  return id
}

/** At most this many other names lead to a folder. */
export const MOST_SUB_NAMES = 50

/** Adds a name that leads to a project's folder, and to the folder of that name in the template if that is wanted. */
export const addSubName = transactional(
  async (
    trx: Trx,
    actor: Actor,
    project: number,
    id: number,
    { name, isInTemplate }: { name: string; isInTemplate: boolean },
  ): Promise<void> => {
    const folder = await takeSubName(trx, actor, project, id, name)
    if (!isInTemplate) return
    const same = (await listFolders(trx, 'template')).find(
      (each) => folderKey(each.name) === folderKey(folder),
    )
    if (!same) throw invalid({ template: [`Skabelonen har ingen mappe, der hedder ${folder}.`] })
    await takeSubName(trx, actor, 'template', same.id, name)
  },
)

/** Returns the folder's name. */
async function takeSubName(
  trx: Trx,
  actor: Actor,
  set: FolderSet,
  id: number,
  name: string,
): Promise<string> {
  await lockFolders(trx, set)
  const { files_count: _count, ...fields } = await getFolder(trx, set, id)
  const names = [fields.name, ...fields.sub_names].map(folderKey)
  if (names.includes(folderKey(name))) return fields.name
  if (fields.sub_names.length >= MOST_SUB_NAMES)
    throw invalid({ name: [`Mappen ${fields.name} har allerede ${MOST_SUB_NAMES} undernavne.`] })
  await changeFolder(trx, actor, set, id, { ...fields, sub_names: [...fields.sub_names, name] })
  return fields.name
}

export async function moveFolder(
  trx: Trx,
  actor: Actor,
  set: FolderSet,
  id: number,
  move: FolderMove,
): Promise<void> {
  await lockFolders(trx, set)
  // Locks all of them in order of id, as a move of a file between two folders does.
  await foldersOf(trx, set).select('id').orderBy('id').forUpdate().execute()
  await getFolder(trx, set, id)
  const rows = await foldersOf(trx, set).select(['id', 'place']).orderBy('place').execute()
  const order = moveInOrder(
    rows.map((row) => row.id),
    id,
    move,
  )
  if (!order)
    throw conflict('Mappen blev ikke flyttet: En anden har ændret rækkefølgen. Listen er hentet igen.')
  // The places stay the same and get other folders. Writes only the rows between the old and the new place.
  const moved = order.flatMap((each, index) =>
    rows[index]!.id === each ? [] : [sql`(${each}::bigint, ${rows[index]!.place}::integer)`],
  )
  if (moved.length === 0) return
  await sql`
    update folders set place = moved.place from (values ${sql.join(moved)}) as moved (id, place)
    where folders.id = moved.id`.execute(trx)
  await addLogEntry(trx, actor, 'folder-moved', { projectId: projectOf(set), folderId: id })
}

/** Removes a folder if it is empty. */
export async function removeFolder(trx: Trx, actor: Actor, set: FolderSet, id: number): Promise<void> {
  await lockFolders(trx, set)
  const { name, files_count: count } = await getFolder(trx, set, id)
  if (count > 0) throw conflict(`Mappen ${name} er ikke tom. Flyt eller slet filerne først.`)
  try {
    await trx.deleteFrom('folders').where('id', '=', id).execute()
  } catch (error) {
    throw isUsed(error, 'files_folder_id_fkey') ? conflict(inTrash(name)) : error
  }
  await addLogEntry(trx, actor, 'folder-removed', { projectId: projectOf(set), folderId: id })
}

const inTrash = (name: string) =>
  `Mappen ${name} har filer i papirkurven. Gendan dem, eller slet dem for altid.`

/** Lets only one transaction at a time change a project's folders. */
async function lockFolders(trx: Trx, set: FolderSet): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('folders of ' || ${String(set)}::text, 0))`.execute(
    trx,
  )
}

async function getFolder(trx: Trx, set: FolderSet, id: number) {
  const folder = await foldersOf(trx, set)
    .select(SETTINGS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!folder) throw notFound('Mappen findes ikke.')
  return folder
}

function isSame(now: Settings, next: Settings): boolean {
  return (
    now.name === next.name &&
    now.visible_to_investors === next.visible_to_investors &&
    now.sub_names.join('\n') === next.sub_names.join('\n') &&
    expectSame(now, next)
  )
}
