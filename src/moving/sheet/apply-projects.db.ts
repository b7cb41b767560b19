import { sql } from 'kysely'
import { initialOf, namesOf } from '../../base/fields/field.ts'
import { PROJECT_FIELDS, YEAR_FIELDS, type ProjectValues } from '../../projects/project/project.fields.ts'
import { copyTemplate } from '../../projects/folders.db.ts'
import { inParts } from '../../server/database/in-parts.ts'
import { CHANGED_FIELDS } from './plan/plan-project.ts'
import type { ChangedProject } from './plan/plan.ts'
import { addRows, changeRows, logEach, renamedBy, type Writing } from './write-rows.db.ts'

/** This many projects get their folders in one statement. */
const FOLDERS_AT_A_TIME = 250

const PROJECTS = sql.table('projects')

/** Adds projects with the template's folders, like their form. Returns their ids by number. */
export async function addProjects(
  writing: Writing,
  projects: readonly ProjectValues[],
): Promise<Map<string, number>> {
  const { trx } = writing
  const ids = await addRows(trx, PROJECTS, namesOf(PROJECT_FIELDS), 'number', projects)
  const added = [...ids.values()].toSorted((a, b) => a - b)
  for (const part of inParts(added, FOLDERS_AT_A_TIME)) await copyTemplate(trx, part)
  const onProject = (projectId: number) => ({ projectId })
  await logEach(writing, 'project-added', added.map(onProject))
  const withYears = projects.filter((project) =>
    namesOf(YEAR_FIELDS).some((name) => project[name] !== initialOf(YEAR_FIELDS[name])),
  )
  const dated = withYears.map(({ number }) => onProject(ids.get(number)!))
  await logEach(writing, 'project-years-changed', dated)
  return ids
}

/** Changes projects that have not changed since they were compared. */
export async function changeProjects(writing: Writing, projects: readonly ChangedProject[]): Promise<void> {
  const isYear = (name: string) => name in YEAR_FIELDS
  const logged = projects.filter(({ after }) => Object.keys(after).some((name) => !isYear(name)))
  await writeProjects(writing, projects, logged)
  const dated = projects.filter(({ after }) => Object.keys(after).some(isYear))
  const years = dated.map(({ id }) => ({ projectId: id }))
  await logEach(writing, 'project-years-changed', years)
}

/** Writes projects that still have the values in `before`. Throws `Stale` if one of them has not. */
export async function writeProjects(
  writing: Writing,
  projects: readonly ChangedProject[],
  logged = projects,
): Promise<void> {
  const { trx } = writing
  const also = sql`, updated_at = now(), changed_at = now()`
  await changeRows(trx, PROJECTS, namesOf(CHANGED_FIELDS), projects, also)
  const changed = logged.map((project) => ({ projectId: project.id, names: renamedBy(project) }))
  await logEach(writing, 'project-changed', changed)
}
