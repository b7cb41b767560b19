import { initialValues, namesOf } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { changesOf, shownChange, shownFaults, stateOf } from './compare.ts'
import { isFaulty, type CheckedSheet, type ProjectRow, type RowFault } from '../read/checked-sheet.ts'
import { headingOf, type Field } from '../read/sheet-columns.ts'
import type { Plan, PresentProject } from './plan.ts'

/** Compares a row with the project that has its number. */
export function planProject(
  row: ProjectRow,
  sheet: CheckedSheet,
  now: PresentProject | undefined,
  plan: Plan,
): void {
  const { number } = row
  const faults = [...row.faults]
  if (!now && row.name === undefined && !isFaulty(row, 'name') && number !== undefined)
    faults.push({ field: 'name', text: 'Navnet skal udfyldes, for projektet er nyt.' })
  const heldFrom = row.held_from ?? now?.held_from ?? null
  const soldOn = row.sold_on ?? now?.sold_on ?? null
  if (heldFrom !== null && soldOn !== null && soldOn < heldFrom)
    faults.push({ field: 'sold_on', text: 'Projektet kan ikke være solgt, før det blev overtaget.' })
  const said = { ...row, year_ends: yearEndOf(row, now, faults) }
  const { before, after } = changesOf(CHANGED, said, now)
  const changes = Object.keys(after).map((field) => shownChange('projects', field as Field, before, after))
  const state = stateOf(faults, now !== undefined, changes.length)
  plan.rows.push({
    kind: 'projects',
    row: row.row,
    state,
    key: number ?? '',
    label: row.name ?? now?.name ?? '',
    changes: state === 'new' ? changes.filter(({ what }) => what !== headingOf('projects', 'name')) : changes,
    faults: shownFaults(sheet, 'projects', row.row, faults),
    notes: [],
  })
  if (state === 'changed' && now) plan.changedProjects.push({ id: now.id, before, after })
  else if (state === 'new' && number !== undefined && row.name !== undefined)
    plan.newProjects.push({ ...INITIAL, ...after, name: row.name, number })
}

const CHANGED = namesOf(PROJECT_FIELDS).filter((name) => name !== 'number')

const INITIAL = initialValues(PROJECT_FIELDS)

/** A project may have changed its accounting year. The sheet can name any of its ends, but change none. */
function yearEndOf({ year_ends: said }: ProjectRow, now: PresentProject | undefined, faults: RowFault[]) {
  if (!now || said === undefined || now.later_ends.length === 0) return said
  if ([now.year_ends, ...now.later_ends].includes(said)) return undefined
  faults.push({
    field: 'year_ends',
    text: 'Projektet har skiftet regnskabsår før. Ret det på projektets side.',
  })
  return undefined
}
