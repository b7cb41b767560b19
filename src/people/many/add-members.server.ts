import { z } from 'zod'
import type { GatedAct } from '../../access/gate.ts'
import { nameMembers, nameProject } from '../../projects/name-things.db.ts'
import { addMembers } from './add-members.db.ts'

const id = z.int().positive()
const Added = z.strictObject({ project: id, users: z.array(id) })

/** Makes many people members of a project. It lets them see what is shared there. */
export const ADD_MEMBERS_ACT: GatedAct<z.infer<typeof Added>, void> = {
  kind: 'add-members',
  right: 'editUsers',
  params: Added,
  scope: (_trx, { project }) => ({ projects: [project] }),
  run: (db, _parts, { actor }, { project, users }) => addMembers(db, actor, project, users),
  describe: async (trx, { project, users }) =>
    `Ret projektet ${await nameProject(trx, project)}${await nameMembers(trx, { add: users, remove: [], addByName: '' })}`,
}
