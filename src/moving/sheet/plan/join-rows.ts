import { COLUMN_FIELDS } from '../../../accounts/users/user.fields.ts'
import { namesOf, pickFields } from '../../../base/fields/field.ts'
import { cleanLine, emailKey } from '../../../base/text.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import type { PersonRow, ProjectRow, RowFault } from '../read/checked-sheet.ts'

/** A row, and the row that it was joined to; null if it was not joined. */
type Joined<Row> = { row: Row; joinedTo: number | null }

/**
 * Joins rows about one person, with the same e-mail, number or person. Rows that agree become one, with the numbers and
 * projects of all. If they disagree, all of them are wrong, because nobody knows which is right.
 */
export function joinPeople(
  rows: readonly PersonRow[],
  whoIs: (row: PersonRow) => number | undefined,
): Joined<PersonRow>[] {
  const keysOf = (row: PersonRow) => {
    const person = whoIs(row)
    return [
      ...(row.email === undefined ? [] : [`email ${emailKey(row.email)}`]),
      ...row.numbers.map((number) => `number ${number}`),
      ...(person === undefined ? [] : [`person ${person}`]),
    ]
  }
  return joinRows(rows, keysOf, {
    said: (row) =>
      Object.values({
        ...pickFields(COLUMN_FIELDS, row),
        name: row.name && cleanLine(row.name).toLowerCase(),
        email: row.email && emailKey(row.email),
      }),
    join: (all) => ({
      ...Object.assign({}, ...all.toReversed()),
      row: all[0]!.row,
      numbers: [...new Set(all.flatMap(({ numbers }) => numbers))],
      projects: [...new Set(all.flatMap(({ projects }) => projects))],
    }),
    faultOf: (row, other, key) =>
      key.startsWith('email ')
        ? { field: 'email', text: `E-mailen står også i række ${other}.` }
        : key.startsWith('number ')
          ? { field: 'numbers', text: `Nummeret ${key.slice(7)} står også i række ${other}.` }
          : { field: null, text: `Række ${other} handler også om ${row.name ?? 'samme person'}.` },
  })
}

/** Joins rows about one project, in the same way. */
export function joinProjects(rows: readonly ProjectRow[]): Joined<ProjectRow>[] {
  return joinRows(rows, ({ number }) => (number === undefined ? [] : [number]), {
    said: (row) => namesOf(PROJECT_FIELDS).map((name) => row[name]),
    join: (all) => ({ ...Object.assign({}, ...all.toReversed()), row: all[0]!.row }),
    faultOf: ({ number }, other) => ({
      field: 'number',
      text: `Nummeret ${number} står også i række ${other}.`,
    }),
  })
}

type Way<Row> = {
  /** The values in which rows must not differ; undefined where a row has none. */
  said: (row: Row) => readonly unknown[]
  join: (rows: readonly Row[]) => Row
  faultOf: (row: Row, other: number, key: string) => RowFault
}

function joinRows<Row extends { row: number; faults: RowFault[] }>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly string[],
  { said, join, faultOf }: Way<Row>,
): Joined<Row>[] {
  const groups = groupBySharedKeys(rows, keysOf)
  const answers = new Map<Row, Joined<Row>>()
  for (const group of groups) {
    if (!agree(group.map(said))) {
      const rowsWith = rowsByKey(group, keysOf)
      for (const row of group) {
        const [other, key] = sharedWith(row, keysOf(row), rowsWith)
        answers.set(row, {
          row: { ...row, faults: [...row.faults, faultOf(row, other, key)] },
          joinedTo: null,
        })
      }
    } else {
      const good = group.filter(({ faults }) => faults.length === 0)
      for (const [at, row] of good.entries())
        answers.set(row, at === 0 ? { row: join(good), joinedTo: null } : { row, joinedTo: good[0]!.row })
    }
  }
  return rows.map((row) => answers.get(row) ?? { row, joinedTo: null })
}

/** Returns the groups of two rows and more that share a key, also by way of a third row. */
function groupBySharedKeys<Row>(rows: readonly Row[], keysOf: (row: Row) => readonly string[]): Row[][] {
  const parents = rows.map((_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root]!
    parents[at] = root
    return root
  }
  const firstWith = new Map<string, number>()
  for (const [at, row] of rows.entries())
    for (const key of keysOf(row)) {
      const first = firstWith.get(key)
      if (first === undefined) firstWith.set(key, at)
      else {
        const [a, b] = [rootOf(first), rootOf(at)]
        parents[Math.max(a, b)] = Math.min(a, b)
      }
    }
  const groups = Map.groupBy(rows.keys(), rootOf)
  return [...groups.values()].flatMap((places) =>
    places.length > 1 ? [places.map((place) => rows[place]!)] : [],
  )
}

function rowsByKey<Row>(rows: readonly Row[], keysOf: (row: Row) => readonly string[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows)
    for (const key of keysOf(row)) {
      const all = found.get(key)
      if (all) all.push(row)
      else found.set(key, [row])
    }
  return found
}

/** Whether no column has two different values. */
function agree(all: readonly (readonly unknown[])[]): boolean {
  return all[0]!.every(
    (_, at) => new Set(all.map((values) => values[at]).filter((value) => value !== undefined)).size <= 1,
  )
}

/** Another row of the group that shares a key with this one, and the key: every row of a group has one. */
function sharedWith<Row extends { row: number }>(
  row: Row,
  keys: readonly string[],
  rowsWith: ReadonlyMap<string, readonly Row[]>,
): [other: number, key: string] {
  for (const key of keys) {
    const other = rowsWith.get(key)?.find((each) => each !== row)
    if (other) return [other.row, key]
  }
  return [row.row, '']
}
