import { sql } from 'kysely'
import { isFolderSeen, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { OPERATOR } from './tree-imports.db.ts'
import {
  makeOfficeIndex,
  type ListedPerson,
  type ListedProject,
  type OfficeIndex,
} from './place/office-index.ts'

/** Reads all projects, folders and investors: names of a whole drive can lead to any of them. */
export async function readOfficeIndex(db: Database): Promise<OfficeIndex> {
  const { rows: projects } = await sql<ListedProject>`
    select projects.id, projects.number, projects.name, coalesce((
      select json_agg(json_build_object('text', folder_names.key, 'folder', json_build_object(
        'id', folders.id, 'name', folders.name, 'visible_to_investors', folders.visible_to_investors))
        order by folders.place, folder_names.key)
      from folder_names join folders on folders.id = folder_names.folder_id
      where folder_names.project_id = projects.id and ${isFolderSeen(OPERATOR)}), '[]') as folders
    from projects where ${isProjectSeen(OPERATOR)} order by projects.id`.execute(db)
  const { rows: people } = await sql<ListedPerson>`
    select id, name, array(select number from user_numbers where user_id = users.id order by number) as numbers
    from users where role = any (${rolesThat(hasOwnFiles)}) and ${isPersonSeen(OPERATOR)} order by id`.execute(
    db,
  )
  return makeOfficeIndex(projects, people)
}
