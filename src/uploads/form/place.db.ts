import type { Reader } from '../../access/reader.ts'
import { isFolderOf, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { hasOwnFiles, ROLES, rolesThat } from '../../rights.ts'
import { sql, type RawBuilder } from 'kysely'
import { openUserFolders } from '../../files/user-folder.db.ts'
import { folderKey } from '../../projects/folder.ts'
import { NO_PROJECT } from '../../projects/project.ts'
import { breather, mapInTurns } from '../../server/process/breather.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { notFound } from '../../server/http/errors.ts'
import { keyInName } from '../names/file-name.ts'
import { faultText, placeAtUser, placeInFolder, placeSimply, type UploadUser } from '../names/placing.ts'
import { askedBy, resolveFolders, resolveUsers } from '../names/resolve.db.ts'
import type { Placing } from './entry.ts'

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

/** S5.10: puts each file where its name leads, in one project or in all, and does not trust the page's choice. */
export function placeByFolder(reader: Reader, project: string | null): Placing {
  return async (trx, entries, faults) => {
    const asked = await askedBy(entries.map(({ name }) => name))
    const said = entries.flatMap(({ folder }) => folder ?? [])
    const map = await resolveFolders(trx, reader, { ...asked, folders: [...asked.folders, ...said] })
    const placed = new Map<string, number>()
    const breathe = breather()
    for (const { id, name, folderId, folder } of entries) {
      await breathe()
      const { where, fault } = placeInFolder(name, map, project)
      if (!where) faults[`files.${id}.name`] = [faultText(fault)]
      else if (folderId !== undefined && folderId !== where.folder.id)
        faults[`files.${id}.folder_id`] = [`${name} hører til i mappen ”${where.folder.name}”.`]
      else if (folder !== undefined && where.project.folders[folderKey(folder)]?.id !== where.folder.id)
        faults[`files.${id}.folder`] = [`${name} hører til i mappen ”${where.folder.name}”.`]
      else placed.set(id, where.folder.id)
    }
    return placed
  }
}

/** S5.10: gives each file to the person whose number its name has. */
export const placeByUser =
  (reader: Reader): Placing =>
  async (trx, entries, faults) => {
    const keys = await mapInTurns(entries, ({ name }) => keyInName(name) ?? [])
    const map = await resolveUsers(trx, reader, keys.flat())
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

/** Gives all files to one person, whatever their names. Only investors have files of their own. */
export function placeAtPerson(reader: Reader, userId: number): Placing {
  return async (trx, entries, faults) => {
    await getInvestor(trx, reader, userId, sql`for share`)
    for (const { id, name, userId: said } of entries)
      if (said !== undefined && said !== userId)
        faults[`files.${id}.user_id`] = [`${name} skal uploades til en anden bruger.`]
    const folderId = (await openUserFolders(trx, [userId])).get(userId)!
    return new Map(entries.map(({ id }) => [id, folderId]))
  }
}

export async function getInvestor(
  db: Database | Trx,
  reader: Reader,
  userId: number,
  lock: RawBuilder<unknown> = sql``,
): Promise<UploadUser> {
  const { rows } = await sql<UploadUser>`
    select id, name from users where id = ${userId} and role = any (${rolesThat(hasOwnFiles)})
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
        faults[`files.${id}.data`] = [`${name} er ikke en PDF, selv om den hedder det.`]
    }
    return new Map(entries.map(({ id }) => [id, folderId]))
  }
}
