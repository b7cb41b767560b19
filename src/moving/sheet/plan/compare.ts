import { formatValue } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { placeOf, type CheckedSheet, type RowFault } from '../read/checked-sheet.ts'
import { headingOf, type Field, type ProjectField, type SheetKind } from '../read/sheet-columns.ts'
import type { PlanRow, RowState } from './plan.ts'

/** Returns the fields in which the sheet differs. An empty cell changes nothing. */
export function changesOf<Fields extends object, Name extends keyof Fields>(
  names: readonly Name[],
  said: { [Each in Name]?: Fields[Each] | undefined },
  now: Fields | undefined,
): { before: { [Each in Name]?: Fields[Each] }; after: { [Each in Name]?: Fields[Each] } } {
  const before: { [Each in Name]?: Fields[Each] } = {}
  const after: { [Each in Name]?: Fields[Each] } = {}
  for (const name of names) {
    const value = said[name]
    if (value === undefined || value === now?.[name]) continue
    after[name] = value
    if (now) before[name] = now[name]
  }
  return { before, after }
}

type Value = string | number | null | undefined
type Values = Record<string, Value>

export function shownChanges(kind: SheetKind, before: Values, after: Values): PlanRow['changes'] {
  return (Object.keys(after) as Field[]).map((field) => ({
    what: headingOf(kind, field),
    before: shown(field, before[field]),
    after: shown(field, after[field]),
  }))
}

/** A value as a person writes it. */
function shown(field: Field, value: Value): string {
  if (value === null || value === undefined) return ''
  return field in PROJECT_FIELDS ? formatValue(PROJECT_FIELDS[field as ProjectField], value) : String(value)
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
