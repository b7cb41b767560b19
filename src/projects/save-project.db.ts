import type { Actor } from '../log/log.db.ts'
import { transactional, type Trx } from '../server/database/database.ts'
import { lockForCells, refreshCells } from './expected/cells.db.ts'
import { changeYears, type YearFields } from './expected/years.db.ts'
import { copyTemplate } from './folders.db.ts'
import { changeMembers, holdCandidates, type MemberChanges } from './members.db.ts'
import { addProject, changeProject, type ProjectFields } from './projects.db.ts'

/** What a project's form saves. */
type Saved<Fields> = { fields: Fields; members: MemberChanges; years: YearFields; today: string }

/** A project with its members, and with the template's folders. */
export const saveNewProject = transactional(
  async (
    trx: Trx,
    actor: Actor,
    { fields, members, years, today }: Saved<ProjectFields>,
  ): Promise<number> => {
    await holdCandidates(trx, members)
    const added = await addProject(trx, actor, fields)
    await copyTemplate(trx, added)
    await changeYears(trx, actor, added, years)
    await changeMembers(trx, actor, added, members)
    await refreshCells(trx, [added], today)
    return added
  },
)

export const saveProject = transactional(
  async (
    trx: Trx,
    actor: Actor,
    project: number,
    { fields, members, years, today }: Saved<Parameters<typeof changeProject>[3]>,
  ): Promise<void> => {
    // First the folders: whoever stores a file has locked its folder and then changes its project.
    await lockForCells(trx, [project])
    await holdCandidates(trx, members)
    await changeProject(trx, actor, project, fields)
    await changeYears(trx, actor, project, years)
    await changeMembers(trx, actor, project, members)
    await refreshCells(trx, [project], today)
  },
)
