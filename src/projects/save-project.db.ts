import type { Actor } from '../log/log.db.ts'
import { transactional, type Trx } from '../server/database/database.ts'
import { copyTemplate } from './folders.db.ts'
import { changeMembers, holdCandidates, type MemberChanges } from './members.db.ts'
import { addProject, changeProject, type ProjectFields } from './projects.db.ts'

/** A project with its members, and with the template's folders. */
export const saveNewProject = transactional(
  async (trx: Trx, actor: Actor, fields: ProjectFields, members: MemberChanges): Promise<number> => {
    await holdCandidates(trx, members)
    const added = await addProject(trx, actor, fields)
    await copyTemplate(trx, added)
    await changeMembers(trx, actor, added, members)
    return added
  },
)

export const saveProject = transactional(
  async (
    trx: Trx,
    actor: Actor,
    project: number,
    fields: Parameters<typeof changeProject>[3],
    members: MemberChanges,
  ): Promise<void> => {
    await holdCandidates(trx, members)
    await changeProject(trx, actor, project, fields)
    await changeMembers(trx, actor, project, members)
  },
)
