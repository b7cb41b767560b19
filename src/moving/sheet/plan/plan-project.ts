import { newValues } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { changesOf, shownChanges, shownRow } from './compare.ts'
import { isFaulty, type CheckedSheet, type ProjectRow, type RowFault } from '../read/checked-sheet.ts'
import type { Plan, PresentProject } from './plan.ts'

/** Compares a row with the project that has its number. */
export function planProject(
  row: ProjectRow,
  sheet: CheckedSheet,
  now: PresentProject | undefined,
  plan: Plan,
): void {
  const { number, name } = row
  const said = endsOf(now).length > 0 ? { ...row, year_ends: undefined } : row
  const { before, after } = changesOf(CHANGED_FIELDS, said, now)
  const shown = shownRow(sheet, 'projects', {
    row,
    now,
    key: number ?? '',
    changes: shownChanges('projects', before, after),
    faults: [...row.faults, ...faultsOf(row, now)],
    notes: [],
  })
  plan.rows.push(shown)
  if (shown.state === 'changed' && now) plan.changedProjects.push({ id: now.id, before, after })
  else if (shown.state === 'new' && number !== undefined && name !== undefined)
    plan.newProjects.push(newValues(PROJECT_FIELDS, { ...after, name, number }))
}

/** A project is known by its number. */
export const { number: _, ...CHANGED_FIELDS } = PROJECT_FIELDS

/** The ends of the years of a project that has changed them. The sheet can name any of these, but change none. */
const endsOf = (now: PresentProject | undefined) =>
  now && now.later_ends.length > 0 ? [now.year_ends, ...now.later_ends] : []

function faultsOf(row: ProjectRow, now: PresentProject | undefined): RowFault[] {
  const faults: RowFault[] = []
  if (!now && row.name === undefined && !isFaulty(row, 'name') && row.number !== undefined)
    faults.push({ field: 'name', text: 'Navnet skal udfyldes, for projektet er nyt.' })
  const { held_from: heldFrom, sold_on: soldOn } = { ...now, ...row }
  if (heldFrom && soldOn && soldOn < heldFrom)
    faults.push({ field: 'sold_on', text: 'Projektet kan ikke være solgt, før det blev overtaget.' })
  const ends = endsOf(now)
  if (row.year_ends !== undefined && ends.length > 0 && !ends.includes(row.year_ends))
    faults.push({
      field: 'year_ends',
      text: 'Projektet har skiftet regnskabsår før. Ret det på projektets side.',
    })
  return faults
}
