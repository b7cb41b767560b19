import { READERS_OF_OWN } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { folderKey } from '../../projects/folder.ts'
import { isAudited } from '../../projects/members.db.ts'
import { mapInTurns } from '../../server/process/breather.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { readFileName } from '../../files/names/file-name.ts'
import { nearMissAmong } from '../../files/names/near-miss.ts'
import type { UploadFolder, UploadMap, UploadProject, UploadUser } from './placing.ts'

/** The folders and keys in some file names: the texts before their parentheses, and those inside. */
type Asked = { folders: string[]; keys: string[] }

export async function askedBy(names: string[]): Promise<Asked> {
  const said = (await mapInTurns(names, readFileName)).flatMap((each) => each ?? [])
  return {
    folders: [...new Set(said.map(({ folder }) => folder))],
    keys: [...new Set(said.map(({ key }) => key))],
  }
}

type NameRow = UploadFolder & { project_id: number; key: string }

/** Finds where names can lead, among the projects and folders that the reader sees. */
export async function resolveFolders(
  db: Database | Trx,
  reader: Reader,
  { folders, keys }: Asked,
): Promise<Pick<UploadMap, 'projects'>> {
  const { rows: found } = await sql<Omit<UploadProject, 'folders' | 'near'>>`
    select id, number, name, ${isAudited(sql`projects.id`)} as has_auditor
    from projects where number = any (${keys}) and ${isProjectSeen(reader)}`.execute(db)
  const projects = new Map<number, UploadProject>(
    found.map((project) => [project.id, { ...project, folders: blank(), near: blank() }]),
  )
  const asked = await mapInTurns(folders, folderKey)
  const { rows } = await sql<NameRow>`
    select folder_names.project_id, folder_names.key, folders.id, folders.name, folders.visible_to_investors
    from folder_names join folders on folders.id = folder_names.folder_id
    where folder_names.project_id = any (${[...projects.keys()]})
      and lower(key collate danish) = any (${[...new Set(asked.map(caseless))]})
      and ${isFolderSeen(reader)}`.execute(db)
  const byCase = Map.groupBy(asked, caseless)
  for (const [projectId, names] of Map.groupBy(rows, ({ project_id: id }) => id))
    projects.get(projectId)!.folders = foldersByText(names, byCase)
  return { projects: Object.fromEntries([...projects.values()].map((project) => [project.number, project])) }
}

const caseless = (text: string) => text.toLocaleLowerCase('da')

/** Returns the folders of a project by the texts that lead there: letter by letter, or in other letters' case if only one fits. */
function foldersByText(
  names: NameRow[],
  byCase: ReadonlyMap<string, string[]>,
): Record<string, UploadFolder> {
  const found = blank<UploadFolder>()
  for (const [lower, same] of Map.groupBy(names, ({ key }) => caseless(key)))
    for (const text of byCase.get(lower) ?? []) {
      const exact = same.find(({ key }) => key === text)
      const isOne = new Set(same.map(({ id }) => id)).size === 1
      const meant = exact ?? (isOne ? same[0] : undefined)
      if (!meant) continue
      const { id, name, visible_to_investors: isShared } = meant
      found[text] = { id, name, visible_to_investors: isShared }
    }
  return found
}

/** Finds where names lead, and which folders were probably meant by names that lead nowhere. */
export async function resolve(db: Database, reader: Reader, { folders, keys }: Asked): Promise<UploadMap> {
  const map = {
    ...(await resolveFolders(db, reader, { folders, keys })),
    ...(await resolveUsers(db, reader, keys)),
  }
  await suggestFolders(db, reader, map, folders)
  return map
}

/** Makes an object without inherited properties such as 'constructor'. */
const blank = <Value>() => Object.create(null) as Record<string, Value>

/** At most this many names are compared, and this many suggestions made, since more take too long. */
const MOST_COMPARED = 200_000
const MOST_SUGGESTED = 200_000
/** How many texts are compared before other requests get a turn: a few milliseconds' worth. */
const TEXTS_AT_ONCE = 500

/** Adds the folder that was probably meant by each name that a project does not have. */
async function suggestFolders(
  db: Database,
  reader: Reader,
  { projects }: Pick<UploadMap, 'projects'>,
  texts: string[],
): Promise<void> {
  const asked = [...new Set(await mapInTurns(texts, folderKey))]
  const wanting = new Map(
    Object.values(projects)
      .filter(({ folders }) => Object.keys(folders).length < asked.length)
      .map((project) => [project.id, project]),
  )
  if (wanting.size === 0) return
  const { rows } = await sql<{ names: string[]; ids: number[] }>`
    select names, json_agg(project_id) as ids from (
      select folder_names.project_id, array_agg(key order by key) as names
      from folder_names join folders on folders.id = folder_names.folder_id
      where folder_names.project_id = any (${[...wanting.keys()]}) and ${isFolderSeen(reader)}
      group by folder_names.project_id
    ) as projects group by names order by min(project_id)`.execute(db)
  let [compared, suggested] = [0, 0]
  // Projects with the same folder names get the same suggestions.
  for (const { names, ids } of rows) {
    const some = asked.slice(0, Math.floor((MOST_COMPARED - compared) / names.length))
    if (some.length === 0) return
    compared += names.length * some.length
    const near = await nearAmong(names, some)
    suggested += near.length * ids.length
    if (suggested > MOST_SUGGESTED) return
    for (const id of ids) Object.assign(wanting.get(id)!.near, Object.fromEntries(near))
  }
}

async function nearAmong(names: string[], texts: string[]): Promise<[text: string, near: string][]> {
  const find = nearMissAmong(names)
  const found: [string, string][] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_AT_ONCE === 0) await setImmediate()
    const near = find(text) // also null if the text is one of the names
    if (near !== null) found.push([text, near])
  }
  return found
}

/** Finds the investors with these numbers; only investors have their own files. */
export async function resolveUsers(
  db: Database | Trx,
  reader: Reader,
  keys: string[],
): Promise<Pick<UploadMap, 'users'>> {
  const { rows } = await sql<UploadUser & { number: string }>`
    select user_numbers.number, users.id, users.name, ${READERS_OF_OWN} as readers
    from user_numbers join users on users.id = user_numbers.user_id
    where user_numbers.number = any (${keys}) and users.role = any (${rolesThat(hasOwnFiles)})
      and ${isPersonSeen(reader)}`.execute(db)
  return { users: Object.fromEntries(rows.map(({ number, ...user }) => [number, user])) }
}
