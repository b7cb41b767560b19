import { sql } from 'kysely'
import { folderKey } from '../projects/folder.ts'
import type { Database, Trx } from '../server/database.ts'
import type { UploadFolder, UploadMap, UploadProject } from './placing.ts'

/** What some names ask for: the texts before their parentheses, and those inside. */
export type Asked = { folders: string[]; keys: string[] }

/** Where names can lead, of all projects or of one: for the office, who sees them all. */
export async function resolveFolders(
  db: Database | Trx,
  { folders, keys }: Asked,
): Promise<Pick<UploadMap, 'projects'>> {
  const found = await db
    .selectFrom('projects')
    .select(['id', 'number', 'name'])
    .where('number', 'in', keys.length > 0 ? keys : [''])
    .execute()
  const projects = new Map<number, UploadProject>(
    found.map((project) => [project.id, { ...project, folders: {} }]),
  )
  const { rows } = await sql<UploadFolder & { project_id: number; key: string }>`
    select folder_names.project_id, folder_names.key, folders.id, folders.name, folders.visible_to_investors
    from folder_names join folders on folders.id = folder_names.folder_id
    where folder_names.project_id = any (${[...projects.keys()]}) and key = any (${folders.map(folderKey)})`.execute(
    db,
  )
  for (const { project_id: projectId, key, ...folder } of rows) projects.get(projectId)!.folders[key] = folder
  return { projects: Object.fromEntries([...projects.values()].map((project) => [project.number, project])) }
}

/** Whose numbers they are. */
export async function resolveUsers(db: Database | Trx, keys: string[]): Promise<Pick<UploadMap, 'users'>> {
  const found = await db
    .selectFrom('user_numbers')
    .innerJoin('users', 'users.id', 'user_numbers.user_id')
    .select(['user_numbers.number', 'users.id', 'users.name'])
    .where('user_numbers.number', 'in', keys.length > 0 ? keys : [''])
    .execute()
  return { users: Object.fromEntries(found.map(({ number, id, name }) => [number, { id, name }])) }
}
