import { z } from 'zod'
import type { GatedAct } from '../access/gate.ts'
import { RHYTHMS } from '../base/time/period.ts'
import { STORED_EDIT } from '../server/edits.ts'
import { storedSchemas } from '../server/fields.ts'
import type { Folder } from './folder.ts'
import { changeFolder, workOnFolders } from './folders.db.ts'
import { nameFolder, nameMembers, nameProject } from './name-things.db.ts'
import { OWN_FIELDS, YEAR_FIELDS } from './project/project.fields.ts'
import { saveProject } from './save-project.db.ts'

const id = z.int().positive()

const FolderChange = z.strictObject({
  project: id,
  folder: id,
  // Read by the last release alone.
  today: z.string(),
  fields: z.strictObject({
    name: z.string(),
    sub_names: z.array(z.string()),
    visible_to_investors: z.boolean(),
    expects: z.enum(['none', ...RHYTHMS]).optional(),
    expects_from: z.string().nullable().optional(),
    expects_to: z.string().nullable().optional(),
    due_months: z.number().optional(),
  }),
  edit: STORED_EDIT,
})

/** Changes a project's folder: shares it, or gives it a name by which access to it is lent. */
export const FOLDER_ACT: GatedAct<z.infer<typeof FolderChange>, Folder[]> = {
  kind: 'change-folder',
  right: 'editProjects',
  params: FolderChange,
  scope: (_trx, { project }) => ({ projects: [project] }),
  run: (db, _parts, { actor }, { project, folder, fields, edit }) =>
    workOnFolders(db, project, (trx, set) => changeFolder(trx, actor, set, folder, fields, edit)),
  describe: async (trx, { project, folder, fields }) =>
    `${fields.visible_to_investors ? 'Del' : 'Ret'} mappen ${await nameFolder(trx, folder)} i ${await nameProject(trx, project)}${fields.visible_to_investors ? ' med investorerne' : ''}`,
}

const ProjectChange = z.strictObject({
  project: id,
  saved: z.strictObject({
    fields: z.strictObject(storedSchemas(OWN_FIELDS)),
    members: z.strictObject({ add: z.array(id), remove: z.array(id), addByName: z.string() }),
    years: z.strictObject({
      ...storedSchemas(YEAR_FIELDS),
      year_changes: z
        .array(z.strictObject({ since: z.string().nullable(), year_ends: z.number() }))
        .optional(),
    }),
    // Read by the last release alone.
    today: z.string(),
  }),
  edit: STORED_EDIT,
})

/** Saves a project with its members. */
export const PROJECT_ACT: GatedAct<z.infer<typeof ProjectChange>, void> = {
  kind: 'save-project',
  right: 'editProjects',
  params: ProjectChange,
  scope: (_trx, { project }) => ({ projects: [project] }),
  run: (db, _parts, { actor }, { project, saved, edit }) => saveProject(db, actor, project, saved, edit),
  describe: async (trx, { project, saved: { members } }) =>
    `Ret projektet ${await nameProject(trx, project)}${await nameMembers(trx, members)}`,
}
