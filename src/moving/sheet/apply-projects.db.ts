import { sql } from 'kysely'
import { initialOf, namesOf } from '../../base/fields/field.ts'
import { sheetDetail } from '../../log/words/act.ts'
import { addLogEntries, renamed, type Actor, type On } from '../../log/log.db.ts'
import { lockForCells, refreshCells } from '../../projects/expected/cells.db.ts'
import { PROJECT_FIELDS, YEAR_FIELDS, type ProjectValues } from '../../projects/project/project.fields.ts'
import { copyTemplate } from '../../projects/folders.db.ts'
import { columnNames, columnTypes, valueIn } from '../../server/database/fields.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { Refusal } from '../../server/http/errors.ts'
import { inParts } from './plan/in-parts.ts'
import type { ChangedProject, ProjectFields } from './plan/plan.ts'

/** The import that writes, for the log. */
export type Writing = { trx: Trx; actor: Actor; sheet: number; today: string }

/** Something to be changed has changed since it was compared. */
export class Stale extends Refusal {
  constructor() {
    super(
      409,
      'Noget er ændret, siden forhåndsvisningen blev lavet, så intet er gemt. Genindlæs siden, og se, hvad der sker nu.',
    )
  }
}

/** This many projects get their folders in one statement. */
const FOLDERS_AT_A_TIME = 250

/** Adds projects with the template's folders, like their form. Returns their ids by number. */
export async function addProjects(
  writing: Writing,
  projects: readonly ProjectValues[],
): Promise<Map<string, number>> {
  const { trx, sheet, today } = writing
  const ids = new Map<string, number>()
  for (const part of inParts(projects)) {
    const { rows } = await sql<{ id: number; number: string }>`
      insert into projects (${columnNames(PROJECT_FIELDS)})
      select * from json_to_recordset(${JSON.stringify(part)}::json) as row (${columnTypes(PROJECT_FIELDS)})
      on conflict (number) do nothing returning id, number`.execute(trx)
    if (rows.length < part.length) throw new Stale()
    for (const { id, number } of rows) ids.set(number, id)
  }
  const added = [...ids.values()].toSorted((a, b) => a - b)
  for (const part of inParts(added, FOLDERS_AT_A_TIME)) await copyTemplate(trx, part)
  const onProject = (projectId: number) => ({ projectId, detail: sheetDetail(sheet) })
  await logEach(writing, 'project-added', added.map(onProject))
  const withYears = projects.filter((project) =>
    namesOf(YEAR_FIELDS).some((name) => project[name] !== initialOf(YEAR_FIELDS[name])),
  )
  const dated = withYears.map(({ number }) => onProject(ids.get(number)!))
  await logEach(writing, 'project-years-changed', dated)
  for (const part of inParts(added)) await refreshCells(trx, part, today)
  return ids
}

/**
 * Locks the folders of projects to be changed before anything else, because everybody who stores a file locks its
 * folder first.
 */
export async function lockChanged(trx: Trx, projects: readonly ChangedProject[]): Promise<void> {
  const ids = projects.map(({ id }) => id)
  if (ids.length > 0) await lockForCells(trx, ids)
}

/** Changes projects that have not changed since they were compared. */
export async function changeProjects(writing: Writing, projects: readonly ChangedProject[]): Promise<void> {
  const isYear = (name: string) => name in YEAR_FIELDS
  const other = projects.filter(({ after }) => Object.keys(after).some((name) => !isYear(name)))
  const dated = projects.filter(({ after }) => Object.keys(after).some(isYear))
  for (const part of inParts(projects)) await writeProjects(writing.trx, part)
  await logChangedProjects(writing, other)
  const years = dated.map(({ id }) => ({ projectId: id, detail: sheetDetail(writing.sheet) }))
  await logEach(writing, 'project-years-changed', years)
  await refreshChanged(writing, projects)
}

export function logChangedProjects(writing: Writing, projects: readonly ChangedProject[]): Promise<void> {
  const detail = sheetDetail(writing.sheet)
  const changed = projects.map(({ id, before, after }) => ({
    projectId: id,
    detail,
    names: renamed(before.name ?? '', after.name ?? before.name ?? ''),
  }))
  return logEach(writing, 'project-changed', changed)
}

export async function refreshChanged({ trx, today }: Writing, projects: readonly ChangedProject[]) {
  const ids = projects.map(({ id }) => id)
  for (const part of inParts(ids)) await refreshCells(trx, part, today)
}

/** Writes fields of projects that still have the values in `before`. Throws `Stale` if one of them has not. */
export async function writeProjects(trx: Trx, projects: readonly ChangedProject[]): Promise<void> {
  const { rows } = await sql`
    with wanted as (
      select (row ->> 'id')::bigint as id, row -> 'before' as before, row -> 'after' as after
      from json_array_elements(${JSON.stringify(projects)}::json) as row
    )
    update projects set
      ${sql.join(namesOf(FIELDS).map((name) => sql`${sql.ref(name)} = ${valueOf(name, 'after')}`))},
      updated_at = now(), changed_at = now()
    from wanted
    where projects.id = wanted.id
      and ${sql.join(
        namesOf(FIELDS).map(
          (name) => sql`${sql.ref(`projects.${name}`)} is not distinct from ${valueOf(name, 'before')}`,
        ),
        sql` and `,
      )}
    returning projects.id`.execute(trx)
  if (rows.length < projects.length) throw new Stale()
}

const { number: _, ...FIELDS } = PROJECT_FIELDS

/** A field of the new row, or the present value if the row does not have that field. */
const valueOf = (name: keyof ProjectFields, side: 'before' | 'after') =>
  valueIn(sql.ref(`wanted.${side}`), `projects.${name}`, name, FIELDS[name])

/** Logs the same act for many things. */
export async function logEach(
  { trx, actor }: Writing,
  act: Parameters<typeof addLogEntries>[2],
  on: readonly On[],
): Promise<void> {
  for (const part of inParts(on)) await addLogEntries(trx, actor, act, part)
}
