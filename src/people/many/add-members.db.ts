import type { Actor } from '../../log/log.db.ts'
import { changeMembers, holdCandidates } from '../../projects/members.db.ts'
import { lockProject } from '../../projects/project/projects.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'

/** Makes people members of a project. */
export const addMembers = transactional(
  async (trx: Trx, actor: Actor, project: number, users: number[]): Promise<void> => {
    const members = { add: users, remove: [], addByName: '' }
    await holdCandidates(trx, members)
    await lockProject(trx, project)
    await changeMembers(trx, actor, project, members)
  },
)
