import { USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import { formatValue, namesOf, type Fields, type Value, type ValuesOf } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { placeOf, type CheckedSheet, type RowFault } from '../read/checked-sheet.ts'
import { headingOf, type Field, type SheetKind } from '../read/sheet-columns.ts'
import type { PlanRow, RowState } from './plan.ts'

/** Returns the fields in which the sheet differs. An empty cell changes nothing. */
export function changesOf<All extends Fields>(
  fields: All,
  said: { [Name in keyof All]?: ValuesOf<All>[Name] | undefined },
  now: ValuesOf<All> | undefined,
) {
  const names = namesOf(fields).filter((name) => said[name] !== undefined && said[name] !== now?.[name])
  const changed = (values: typeof said) =>
    Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<ValuesOf<All>>
  return { before: now ? changed(now) : {}, after: changed(said) }
}

type Values = Record<string, Value>

const FIELDS: Record<SheetKind, Fields> = { projects: PROJECT_FIELDS, people: USER_FIELDS }

export function shownChanges(kind: SheetKind, before: Values, after: Values): PlanRow['changes'] {
  const shown = (field: Field, value: Value = null) => formatValue(FIELDS[kind][field]!, value)
  return (Object.keys(after) as Field[]).map((field) => ({
    what: headingOf(kind, field),
    before: shown(field, before[field]),
    after: shown(field, after[field]),
  }))
}

/** What a new thing is called stands above its changes, and is not shown among them. */
const ABOVE: Record<SheetKind, readonly Field[]> = { projects: ['name'], people: ['name', 'email'] }

/** A row and its faults, with the thing that it is about, if that exists. */
type Compared = {
  row: { row: number; name?: string }
  now: { name: string } | undefined
  key: string
  changes: PlanRow['changes']
  faults: readonly RowFault[]
  notes: string[]
}

export function shownRow(
  sheet: CheckedSheet,
  kind: SheetKind,
  { row: { row, name }, now, key, changes, faults, notes }: Compared,
): PlanRow {
  const state = stateOf(faults, now !== undefined, changes.length)
  const above = state === 'new' ? ABOVE[kind].map((field) => headingOf(kind, field)) : []
  return {
    kind,
    row,
    state,
    key,
    label: name ?? now?.name ?? '',
    changes: changes.filter(({ what }) => !above.includes(what)),
    faults: faults.map(({ field, text }) => ({ place: placeOf(sheet, kind, row, field), field, text })),
    notes,
  }
}

function stateOf(faults: readonly RowFault[], isKnown: boolean, changes: number): RowState {
  if (faults.length > 0) return 'wrong'
  if (!isKnown) return 'new'
  return changes > 0 ? 'changed' : 'unchanged'
}
