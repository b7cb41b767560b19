import { USER_FIELDS, type UserValues } from '../../../accounts/users/user.fields.ts'
import { namesOf, type Field as FieldRow, type Fields } from '../../../base/fields/field.ts'
import { cleanLine } from '../../../base/text.ts'
import { PROJECT_FIELDS, type ProjectValues } from '../../../projects/project/project.fields.ts'

export const SHEET_KINDS = ['projects', 'people'] as const
export type SheetKind = (typeof SHEET_KINDS)[number]

/** The heading of the column with the faults, in the sheet of wrong rows. For people only. */
export const WRONG_HEADING = 'Hvad der er galt'

export const KIND_NAMES: Record<SheetKind, string> = { projects: 'Projekter', people: 'Personer' }

export type ProjectField = keyof ProjectValues
export type PersonField = keyof UserValues | 'first_name' | 'last_name' | 'projects' | 'active'
export type Field = ProjectField | PersonField

type Column<Name extends Field> = {
  field: Name
  /** Its heading in the sheet that we offer for download. */
  heading: string
  /** Headings that other offices use, in the form of `headingKey`. */
  synonyms: readonly string[]
  /** What to write in it, and one example. Null if the sheet that we offer leaves it out. */
  given: { note: string; example: string; width: number } | null
}

const columnsOfFields = <All extends Fields>(fields: All) =>
  namesOf(fields).map((field) => {
    const { label, sheet }: FieldRow = fields[field]!
    const { heading = label, synonyms, ...given } = sheet
    return { field, heading, synonyms, given }
  })

// Both in the order of the sheet that we offer.

export const PROJECT_COLUMNS: readonly Column<ProjectField>[] = columnsOfFields(PROJECT_FIELDS)

const { name: NAME, ...OTHER_FIELDS } = USER_FIELDS

export const PERSON_COLUMNS: readonly Column<PersonField>[] = [
  ...columnsOfFields({ name: NAME }),
  { field: 'first_name', heading: 'Fornavn', synonyms: ['fornavne', 'for og mellemnavn'], given: null },
  { field: 'last_name', heading: 'Efternavn', synonyms: ['efternavne'], given: null },
  ...columnsOfFields(OTHER_FIELDS),
  {
    field: 'projects',
    heading: 'Projekter',
    synonyms: [
      'projekt',
      'projektnr',
      'projektnummer',
      'projektnumre',
      'medlem af',
      'andele i',
      'k/s',
      'ks',
      'k/s nr',
      'k/s-nr',
      'kommanditselskab',
      'kommanditselskaber',
    ],
    given: {
      note: 'Numrene på personens projekter, med komma imellem.',
      example: '1024, 1042',
      width: 24,
    },
  },
  { field: 'active', heading: 'Aktiv', synonyms: [], given: null },
]

const COLUMNS: Record<SheetKind, readonly Column<Field>[]> = {
  projects: PROJECT_COLUMNS,
  people: PERSON_COLUMNS,
}

export function headingOf(kind: SheetKind, field: Field): string {
  return COLUMNS[kind].find((column) => column.field === field)?.heading ?? field
}

/** 'CVR-nr.:' and 'cvr  NR' become the same. */
export function headingKey(text: string): string {
  return cleanLine(text.slice(0, 200))
    .toLowerCase()
    .replaceAll(/[.:*?()[\]]/g, '')
    .replaceAll(/\s*[-–]\s*/g, '-')
    .replace(/^(cvr|se|projekt|investor|inv|bruger|kunde)-(?=nr|nummer)/, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const FIELDS: Record<SheetKind, ReadonlyMap<string, Field>> = {
  projects: fieldsByKey(PROJECT_COLUMNS),
  people: fieldsByKey(PERSON_COLUMNS),
}

function fieldsByKey(columns: readonly Column<Field>[]): Map<string, Field> {
  return new Map(
    columns.flatMap(({ field, heading, synonyms }) =>
      [heading, ...synonyms].map((text) => [headingKey(text), field] as const),
    ),
  )
}

/** The columns of a sheet: the field of each, and faults of the headings. */
export type Headings = {
  kind: SheetKind
  /** The number of the row with the headings. */
  row: number
  /** By the columns' places, from 0. */
  fields: Map<number, Field>
  /** Columns with a heading that we do not know. */
  unknown: string[]
  /** Columns whose field another column has already. */
  doubled: { at: number; heading: string }[]
}

type Row = { row: number; cells: readonly (string | null)[] }

/** The office's choice for a sheet: the kind of its rows (null if the sheet is not used), and the field of each column. */
export type ChosenColumns = { kind: SheetKind | null; fields: (Field | null)[] | null }

/** The columns of a sheet as the page shows them, to be chosen. */
export type SheetColumns = {
  /** The sheet's place in the workbook. */
  table: number
  name: string
  kind: SheetKind | null
  columns: { at: number; heading: string; field: Field | null; samples: string[] }[]
}

const MOST_COLUMNS = 60
const MOST_SAMPLES = 3

export const fieldsOf = (kind: SheetKind) => COLUMNS[kind].map(({ field, heading }) => ({ field, heading }))

/** Reads the headings as the office has chosen, or else by their names. Null for a sheet that is not used. */
export function chosenHeadings(rows: readonly Row[], { kind, fields }: ChosenColumns): Headings | null {
  const row = headingRow(rows)
  if (kind === null || !row) return null
  if (!fields) return readHeadings(kind, row)
  const known = new Set<Field>(COLUMNS[kind].map(({ field }) => field))
  const found: Headings = { kind, row: row.row, fields: new Map(), unknown: [], doubled: [] }
  const taken = new Set<Field>()
  for (const [at, field] of fields.entries()) {
    if (field === null || !known.has(field)) continue
    if (taken.has(field)) found.doubled.push({ at, heading: headingOf(kind, field) })
    else found.fields.set(at, field)
    taken.add(field)
  }
  return found
}

/** The row that has the headings: the first with known ones, otherwise the first with two cells. */
function headingRow(rows: readonly Row[]): Row | undefined {
  const first = rows.slice(0, FIRST_ROWS)
  return (
    first.find(({ cells }) => SHEET_KINDS.some((kind) => scoreOf(kind, cells) >= 2)) ??
    first.find(({ cells }) => cells.filter((cell) => cell !== null).length >= 2) ??
    first[0]
  )
}

/** Lists the columns of a sheet with their first values. `doubled` columns are shown with the field that they share. */
export function columnsOf(
  table: number,
  name: string,
  rows: readonly Row[],
  headings: Headings | null,
): SheetColumns {
  const head = headingRow(rows)
  const below = rows.filter(({ row }) => row > (head?.row ?? 0)).slice(0, 50)
  const width = Math.min(MOST_COLUMNS, Math.max(0, ...[head, ...below].map((row) => row?.cells.length ?? 0)))
  const shared = new Map(headings?.doubled.map(({ at, heading }) => [at, heading]))
  const byHeading = (heading: string | undefined) =>
    (headings && COLUMNS[headings.kind].find((column) => column.heading === heading)?.field) ?? null
  return {
    table,
    name: name || (headings ? KIND_NAMES[headings.kind] : 'Arket'),
    kind: headings?.kind ?? null,
    columns: Array.from({ length: width }, (_, at) => ({
      at,
      heading: cleanLine((head?.cells[at] ?? '').slice(0, 100)),
      field: headings?.fields.get(at) ?? byHeading(shared.get(at)),
      samples: below
        .flatMap(({ cells }) => cleanLine((cells[at] ?? '').slice(0, 40)) || [])
        .slice(0, MOST_SAMPLES),
    })).filter(({ heading, samples }) => heading !== '' || samples.length > 0),
  }
}

/** How many rows are searched for headings: a title and a few notes may stand above them. */
const FIRST_ROWS = 20

/**
 * Finds the row with the headings, and whether the sheet has projects or people. Null if it has neither, 'both' if it
 * is unclear.
 */
export function findHeadings(name: string, rows: readonly Row[]): Headings | 'both' | null {
  const found = rows
    .slice(0, FIRST_ROWS)
    .map((row) => ({ row, scores: SHEET_KINDS.map((kind) => scoreOf(kind, row.cells)) }))
    .find(({ scores }) => Math.max(...scores) >= 2)
  if (!found) return null
  const kind = kindOf(name, found.scores)
  return kind === null ? 'both' : readHeadings(kind, found.row)
}

/** The fields that identify a row. */
const KEYS: Record<SheetKind, readonly Field[]> = { projects: ['number'], people: ['email', 'numbers'] }

/** Counts the known headings; zero without one that identifies rows. */
function scoreOf(kind: SheetKind, cells: Row['cells']): number {
  const found = new Set(
    cells.flatMap((cell) => (cell === null ? [] : (FIELDS[kind].get(headingKey(cell)) ?? []))),
  )
  found.delete('active') // may be said of a project as well
  return KEYS[kind].some((field) => found.has(field)) ? found.size : 0
}

const NAMED: Record<SheetKind, RegExp> = {
  projects: /projekt|selskab|k\/s/i,
  people: /person|bruger|investor|kunde|medlem/i,
}

/** The kind with most known headings; the sheet's name decides between equals. */
function kindOf(name: string, scores: number[]): SheetKind | null {
  const [projects = 0, people = 0] = scores
  if (projects !== people) return projects > people ? 'projects' : 'people'
  const named = SHEET_KINDS.filter((kind) => NAMED[kind].test(name))
  return named.length === 1 ? named[0]! : null
}

function readHeadings(kind: SheetKind, { row, cells }: Row): Headings {
  const fields = new Map<number, Field>()
  const unknown: string[] = []
  const doubled: Headings['doubled'] = []
  const taken = new Set<Field>()
  for (const [at, cell] of cells.entries()) {
    if (cell === null || headingKey(cell) === headingKey(WRONG_HEADING)) continue
    const field = FIELDS[kind].get(headingKey(cell))
    if (field === undefined) unknown.push(cleanLine(cell.slice(0, 100)))
    else if (taken.has(field)) doubled.push({ at, heading: headingOf(kind, field) })
    else {
      taken.add(field)
      fields.set(at, field)
    }
  }
  return { kind, row, fields, unknown, doubled }
}
