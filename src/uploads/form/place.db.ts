import { READERS_OF_OWN } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFolderOf, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { hasOwnFiles, ROLES, rolesThat } from '../../rights.ts'
import { sql, type RawBuilder } from 'kysely'
import { openUserFolders } from '../../files/file/user-folder.db.ts'
import { folderKey } from '../../projects/folder.ts'
import { NO_PROJECT } from '../../projects/project/project.ts'
import { breather, mapInTurns } from '../../server/process/breather.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { notFound } from '../../server/http/errors.ts'
import { keyInName } from '../../files/names/file-name.ts'
import {
  faultText,
  placeAnywhere,
  placeAtUser,
  placeInFolder,
  placeSimply,
  type UploadFolder,
  type UploadMap,
  type UploadProject,
  type UploadUser,
} from '../names/placing.ts'
import { askedBy, resolveFolders, resolveUsers } from '../names/resolve.db.ts'
import type { Entry, Faults, Placing } from '../transport/entry.ts'

type Target = { project: number; folder: number; reader: number }

const targetQueries = new Map(
  ROLES.map((role) => [
    role,
    prepare<Target, { folder_id: number | null }>(({ project, folder, reader: id }) => {
      const reader = { id, role }
      return sql`
        select folders.id as folder_id from projects
        left join folders on folders.id = ${folder}::bigint and ${isFolderOf({ project }, reader)}
        where projects.id = ${project}::bigint and ${isProjectSeen(reader)}`
    }),
  ]),
)

/** Throws not-found unless the reader sees the project, and the folder in it. */
export async function checkTarget(
  db: Database,
  { id, role }: Reader,
  project: number,
  folder: number,
): Promise<void> {
  const [row] = await targetQueries.get(role)!(db, { project, folder, reader: id })
  if (!row) throw notFound(NO_PROJECT)
  if (row.folder_id === null) throw notFound('Mappen findes ikke.')
}

/** Puts all files into one folder, whatever their names. */
export function placeManually(folderId: number): Placing {
  return (_trx, entries) => Promise.resolve(new Map(entries.map(({ id }) => [id, folderId])))
}

/** S5.10: puts each file where its name leads in one project, and does not trust the page's choice. */
export function placeByFolder(reader: Reader, project: string): Placing {
  return async (trx, entries, faults) => {
    const map = await foldersFor(trx, reader, entries)
    const placed = new Map<string, number>()
    const breathe = breather()
    for (const entry of entries) {
      await breathe()
      const { where, fault } = placeInFolder(entry.name, map, project)
      if (!where) faults[`files.${entry.id}.name`] = [faultText(fault)]
      else if (isInFolder(entry, where, faults)) placed.set(entry.id, where.folder.id)
    }
    return placed
  }
}

/**
 * S5.10: puts each file into the folder or with the person that its name leads to. A number that is both means what the
 * entry's own field says, a folder or a person; a field that contradicts the name is refused.
 */
export function placeByNumber(reader: Reader): Placing {
  return async (trx, entries, faults) => {
    const keys = await keysIn(entries)
    const map = {
      ...(await foldersFor(trx, reader, entries, keys)),
      ...(await resolveUsers(trx, reader, keys)),
    }
    const placed = new Map<string, number>()
    const people = new Map<string, number>()
    const breathe = breather()
    for (const entry of entries) {
      await breathe()
      const { id, name, folderId, folder, userId } = entry
      const isFolder = folderId !== undefined || folder !== undefined
      const { where, fault } = placeAnywhere(name, map, () =>
        userId !== undefined ? 'person' : isFolder ? 'project' : undefined,
      )
      if (!where) faults[`files.${id}.name`] = [faultText(fault)]
      else if (!where.user && userId !== undefined)
        faults[`files.${id}.user_id`] = [`${name} hører til i mappen ”${where.folder.name}”.`]
      else if (!where.user) {
        if (isInFolder(entry, where, faults)) placed.set(id, where.folder.id)
      } else if (isFolder || (userId !== undefined && userId !== where.user.id))
        faults[`files.${id}.${isFolder ? 'folder_id' : 'user_id'}`] = [
          `${name} hører til hos ${where.user.name}.`,
        ]
      else people.set(id, where.user.id)
    }
    if (people.size === 0) return placed
    const theirs = await openUserFolders(trx, [...new Set(people.values())])
    return new Map([...placed, ...[...people].map(([id, person]) => [id, theirs.get(person)!] as const)])
  }
}

async function foldersFor(
  trx: Trx,
  reader: Reader,
  entries: Entry[],
  /** Numbers without a folder's name before them, too. */
  keys: string[] = [],
): Promise<Pick<UploadMap, 'projects'>> {
  const asked = await askedBy(entries.map(({ name }) => name))
  const said = entries.flatMap(({ folder }) => folder ?? [])
  return resolveFolders(trx, reader, {
    folders: [...asked.folders, ...said],
    keys: [...new Set([...asked.keys, ...keys])],
  })
}

async function keysIn(entries: Entry[]): Promise<string[]> {
  return (await mapInTurns(entries, ({ name }) => keyInName(name) ?? [])).flat()
}

/** Returns whether the entry's fields say the same as its name; adds a fault if they do not. */
function isInFolder(
  { id, name, folderId, folder }: Entry,
  where: { project: UploadProject; folder: UploadFolder },
  faults: Faults,
): boolean {
  const field =
    folderId !== undefined && folderId !== where.folder.id
      ? 'folder_id'
      : folder !== undefined && where.project.folders[folderKey(folder)]?.id !== where.folder.id
        ? 'folder'
        : null
  if (field === null) return true
  faults[`files.${id}.${field}`] = [`${name} hører til i mappen ”${where.folder.name}”.`]
  return false
}

/** S5.10: gives each file to the person whose number its name has. */
export const placeByUser =
  (reader: Reader): Placing =>
  async (trx, entries, faults) => {
    const map = await resolveUsers(trx, reader, await keysIn(entries))
    const breathe = breather()
    const people = new Map<string, number>()
    for (const { id, name, userId } of entries) {
      await breathe()
      const { where, fault } = placeAtUser(name, map)
      if (!where) faults[`files.${id}.name`] = [faultText(fault)]
      else if (userId !== undefined && userId !== where.id)
        faults[`files.${id}.user_id`] = [`${name} hører til hos ${where.name}.`]
      else people.set(id, where.id)
    }
    const folders = await openUserFolders(trx, [...new Set(people.values())])
    return new Map([...people].map(([id, person]) => [id, folders.get(person)!]))
  }

/** Gives all files to one person, whatever their names. Only investors have their own files. */
export function placeAtPerson(reader: Reader, userId: number): Placing {
  return async (trx, entries, faults) => {
    await getInvestor(trx, reader, userId, sql`for share`)
    for (const { id, name, userId: said } of entries)
      if (said !== undefined && said !== userId)
        faults[`files.${id}.user_id`] = [`${name} skal uploades til en anden person.`]
    const folderId = (await openUserFolders(trx, [userId])).get(userId)!
    return new Map(entries.map(({ id }) => [id, folderId]))
  }
}

export async function getInvestor(
  db: Database | Trx,
  reader: Reader,
  userId: number,
  lock: RawBuilder<unknown> = sql``,
): Promise<Required<UploadUser>> {
  const { rows } = await sql<Required<UploadUser>>`
    select id, name, ${READERS_OF_OWN} as readers from users where id = ${userId} and role = any (${rolesThat(hasOwnFiles)})
      and ${isPersonSeen(reader)} ${lock}`.execute(db)
  if (!rows[0]) throw notFound('Der kan kun uploades filer til investorer.')
  return rows[0]
}

/** Adds PDFs to a person's own files. Checks the bytes as well as the name. */
export function placeAtOwn(userId: number): Placing {
  return async (trx, entries, faults, taken) => {
    const folderId = (await openUserFolders(trx, [userId])).get(userId)!
    const breathe = breather()
    for (const { id, name, hashName } of entries) {
      await breathe()
      const { fault } = placeSimply(name)
      if (fault) faults[`files.${id}.name`] = [faultText(fault)]
      else if (taken.has(hashName) && taken.get(hashName)!.type !== 'application/pdf')
        faults[`files.${id}.data`] = [`${name} er ikke en PDF.`]
    }
    return new Map(entries.map(({ id }) => [id, folderId]))
  }
}
