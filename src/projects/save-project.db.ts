import { pickFields } from '../base/fields/field.ts'
import type { Edit } from '../server/edits.ts'
import type { Actor } from '../log/log.db.ts'
import { transactional, type Trx } from '../server/database/database.ts'
import { settle } from '../server/edits.ts'
import { readAccountingYears } from './expected/accounting-years.db.ts'
import { changesIn, changeYears, type YearFields } from './expected/years.db.ts'
import { copyTemplate } from './folders.db.ts'
import { changeMembers, holdCandidates, type MemberChanges } from './members.db.ts'
import { PROJECT_WORDS, projectValues } from './project-edit.ts'
import { OWN_FIELDS, type OwnValues } from './project/project.fields.ts'
import { addProject, changeProject, lockProject } from './project/projects.db.ts'

/** The values that a project's form saves. */
type Saved<Fields> = { fields: Fields; members: MemberChanges; years: YearFields }

/** A project with its members, and with the template's folders. */
export const saveNewProject = transactional(
  async (trx: Trx, actor: Actor, { fields, members, years }: Saved<OwnValues>): Promise<number> => {
    await holdCandidates(trx, members)
    const added = await addProject(trx, actor, fields)
    await copyTemplate(trx, added)
    await changeYears(trx, actor, added, years)
    await changeMembers(trx, actor, added, members)
    return added
  },
)

/** If somebody else has changed the same field since the form was opened, refuses with both values. */
export const saveProject = transactional(
  async (
    trx: Trx,
    actor: Actor,
    project: number,
    { fields, members, years }: Saved<Parameters<typeof changeProject>[3]>,
    edit: Edit | null,
  ): Promise<void> => {
    await holdCandidates(trx, members)
    const before = await lockProject(trx, project)
    const now = projectValues(before, (await readAccountingYears(trx, [project])).get(project)!)
    const { year_changes: changes } = years
    const mine = { ...fields, ...years, year_changes: changes && changesIn(changes) }
    const settled = settle(edit, PROJECT_WORDS, mine, now)
    await changeProject(trx, actor, project, pickFields(OWN_FIELDS, settled))
    await changeYears(trx, actor, project, settled)
    await changeMembers(trx, actor, project, members)
  },
)
