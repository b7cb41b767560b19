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
  { trx, actor, sheet, today }: Writing,
  projects: readonly ProjectValues[],
): Promise<Map<string, number>> {
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
  const detail = sheetDetail(sheet)
  await logEach(
    trx,
    actor,
    'project-added',
    added.map((projectId) => ({ projectId, detail })),
  )
  const withYears = projects.filter((project) =>
    namesOf(YEAR_FIELDS).some((name) => project[name] !== initialOf(YEAR_FIELDS[name])),
  )
  await logEach(
    trx,
    actor,
    'project-years-changed',
    withYears.map(({ number }) => ({ projectId: ids.get(number)!, detail })),
  )
  for (const part of inParts(added)) await refreshCells(trx, part, today)
  return ids
}

/**
 * Locks the folders of projects to be changed before anything else, because everybody who stores a file locks its
 * folder first.
 */
export async function lockChanged(trx: Trx, projects: readonly ChangedProject[]): Promise<void> {
  if (projects.length > 0)
    await lockForCells(
      trx,
      projects.map(({ id }) => id),
    )
}

/** Changes projects that have not changed since they were compared. */
export async function changeProjects(
  { trx, actor, sheet, today }: Writing,
  projects: readonly ChangedProject[],
): Promise<void> {
  for (const part of inParts(projects)) await writeProjects(trx, part)
  const detail = sheetDetail(sheet)
  const isYear = (name: string) => name in YEAR_FIELDS
  const other = projects.filter(({ after }) => Object.keys(after).some((name) => !isYear(name)))
  await logEach(
    trx,
    actor,
    'project-changed',
    other.map(({ id, before, after }) => ({
      projectId: id,
      detail,
      names: renamed(before.name ?? '', after.name ?? before.name ?? ''),
    })),
  )
  const years = projects.filter(({ after }) => Object.keys(after).some(isYear))
  await logEach(
    trx,
    actor,
    'project-years-changed',
    years.map(({ id }) => ({ projectId: id, detail })),
  )
  for (const part of inParts(projects))
    await refreshCells(
      trx,
      part.map(({ id }) => id),
      today,
    )
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
  trx: Trx,
  actor: Actor,
  act: Parameters<typeof addLogEntries>[2],
  on: readonly On[],
): Promise<void> {
  for (const part of inParts(on)) await addLogEntries(trx, actor, act, part)
}
