import type { Faults, SentRow } from './check-companies.ts'
import { COLUMNS, companyFor, type CompanyColumn, type CompanyValues } from './company.ts'

/** A stored row. `place` only orders the rows. */
export type StoredRow = CompanyValues & { id: number; place: number; locked: boolean }

/** The changes to store. Rows that stay the same are not part of it. */
export type Plan = {
  added: Omit<StoredRow, 'id'>[]
  changed: StoredRow[]
  removed: number[]
  isLocking: boolean
  isUnlocking: boolean
  /** Whether anything besides locks changes. */
  isOther: boolean
}

const EMPTY: CompanyValues = {
  name: '',
  cvr: null,
  share: null,
  year: null,
  contribution: null,
  liability: null,
  equity: null,
  debt: null,
  result: null,
}

/**
 * Plans how to turn the stored rows into the sent ones. Adds a fault for each change that the sender may not make.
 */
export function planChanges(
  now: readonly StoredRow[],
  sent: readonly SentRow[],
  isOffice: boolean,
  faults: Faults,
): Plan {
  const at = (index: string, column: string, fault: string) =>
    (faults[`companies.${index}.${column}`] ??= [fault])
  const left = new Map(now.map((row) => [row.id, row]))
  const rows: PlannedRow[] = []

  for (const { index, id, ...sentRow } of sent) {
    const before = id === null ? null : left.get(id)
    if (before === undefined) {
      const isTwice = now.some((row) => row.id === id)
      at(index, 'id', isTwice ? 'Rækken er med to gange.' : 'Rækken findes ikke i denne rapport.')
      continue
    }
    if (before) left.delete(before.id)
    const row = planRow(before, sentRow, rows.at(-1)?.after.place ?? 0)
    rows.push(row)
    if (isLockChanged(row) && !isOffice) at(index, 'locked', 'Kun kontoret kan låse og låse op.')
    for (const column of lockedColumns(row, isOffice))
      at(index, column, 'Kontoret har låst rækken, så feltet kan ikke ændres.')
  }

  const gone = [...left.values()]
  const kept = gone.filter((row) => !companyFor(row, isOffice).deletable)
  if (kept.length > 0)
    faults.companies = [
      kept.length === 1
        ? `Kontoret har låst ${kept[0]!.name}, så rækken kan ikke slettes.`
        : `Kontoret har låst ${kept.length} af de rækker, der mangler, så de kan ikke slettes.`,
    ]
  return {
    added: rows.flatMap(({ before, after }) => (before ? [] : [after])),
    changed: rows.flatMap((row) =>
      row.before && (isOther(row) || isLockChanged(row)) ? [{ ...row.after, id: row.before.id }] : [],
    ),
    removed: gone.map(({ id }) => id),
    isLocking: rows.some((row) => isLockChanged(row) && row.after.locked),
    isUnlocking: rows.some((row) => isLockChanged(row) && !row.after.locked),
    isOther: gone.length > 0 || rows.some(isOther),
  }
}

/** A row as it is to be. `before` is null for a new one. */
type PlannedRow = {
  before: StoredRow | null
  after: Omit<StoredRow, 'id'>
  /** The columns whose stored values change. */
  different: CompanyColumn[]
}

function planRow(
  before: StoredRow | null,
  { locked, values }: Pick<SentRow, 'locked' | 'values'>,
  last: number,
): PlannedRow {
  // A row keeps its place if possible, so that adding a last row changes no other.
  const place = before && before.place > last ? before.place : last + 1
  const isDifferent = (column: CompanyColumn) =>
    before !== null && values[column] !== undefined && values[column] !== before[column]
  return {
    before,
    after: { ...EMPTY, ...before, ...values, place, locked: locked ?? before?.locked ?? false },
    different: COLUMNS.map(({ name }) => name).filter(isDifferent),
  }
}

const isLockChanged = ({ before, after }: PlannedRow) => after.locked !== (before?.locked ?? false)

/** Whether anything besides the lock changes. */
const isOther = ({ before, after, different }: PlannedRow) =>
  different.length > 0 || after.place !== before?.place

/** Returns the changed columns that the sender may not edit. */
function lockedColumns({ before, different }: PlannedRow, isOffice: boolean): CompanyColumn[] {
  if (!before) return []
  const { editable } = companyFor(before, isOffice)
  return different.filter((column) => !editable.includes(column))
}
