import type { Faults, SentRow } from './check-companies.ts'
import { COLUMNS, companyFor, type CompanyValues } from './company.ts'

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
  const byId = new Map(now.map((row) => [row.id, row]))
  const seen = new Set<number>()
  const [added, changed]: [Plan['added'], StoredRow[]] = [[], []]
  const at = (index: string, column: string, fault: string) =>
    (faults[`companies.${index}.${column}`] ??= [fault])
  let [last, isLocking, isUnlocking, isOther] = [0, false, false, false]

  for (const { index, id, locked: wanted, values } of sent) {
    const before = id === null ? null : byId.get(id)
    if (before === undefined) {
      at(index, 'id', 'Rækken findes ikke i denne rapport.')
      continue
    }
    if (id !== null && seen.has(id)) {
      at(index, 'id', 'Rækken er med to gange.')
      continue
    }
    if (id !== null) seen.add(id)
    const wasLocked = before?.locked ?? false
    const locked = wanted ?? wasLocked
    if (locked !== wasLocked && !isOffice) at(index, 'locked', 'Kun kontoret kan låse og låse op.')
    isLocking ||= locked && !wasLocked
    isUnlocking ||= wasLocked && !locked

    // A row keeps its place if possible, so that adding a last row changes no other.
    const place = before && before.place > last ? before.place : last + 1
    last = place
    if (!before) {
      added.push({ ...EMPTY, ...values, place, locked })
      continue
    }
    const different = COLUMNS.map(({ name }) => name).filter(
      (column) => values[column] !== undefined && values[column] !== before[column],
    )
    const { editable } = companyFor(before, isOffice)
    for (const column of different)
      if (!editable.includes(column))
        at(index, column, 'Kontoret har låst rækken, så feltet kan ikke ændres.')
    const isContent = different.length > 0 || place !== before.place
    isOther ||= isContent
    if (isContent || locked !== wasLocked) changed.push({ ...before, ...values, place, locked })
  }

  const gone = now.filter(({ id }) => !seen.has(id))
  const kept = gone.filter((row) => !companyFor(row, isOffice).deletable)
  if (kept.length > 0)
    faults.companies = [
      kept.length === 1
        ? `Kontoret har låst ${kept[0]!.name}, så rækken kan ikke slettes.`
        : `Kontoret har låst ${kept.length} af de rækker, der mangler, så de kan ikke slettes.`,
    ]
  isOther ||= added.length + gone.length > 0
  return { added, changed, removed: gone.map(({ id }) => id), isLocking, isUnlocking, isOther }
}
