import type { z } from 'zod'
import { COLUMN_FIELDS, USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import { formatCount } from '../../../base/danish/counts.ts'
import { namesOf, type Fields, type ValuesOf } from '../../../base/fields/field.ts'
import { cleanLine, isReadable } from '../../../base/text.ts'
import { NUMBER_SCHEMA, USER_SCHEMAS } from '../../../people/user-fields.server.ts'
import { PROJECT_SCHEMAS } from '../../../projects/project-fields.server.ts'
import { PROJECT_FIELDS, YEAR_FIELDS } from '../../../projects/project/project.fields.ts'
import { letterOf } from '../../../report/workbook.ts'
import { formSchemas } from '../../../server/fields.ts'
import { breather } from '../../../server/process/breather.ts'
import type { SheetTable } from '../../../server/reading/read-tables.ts'
import type { CellTrouble } from '../../../server/reading/table-writer.ts'
import { projectNumber, readActive, readCell, textsIn, type Read } from './cells.ts'
import {
  isFaulty,
  MOST_ROWS,
  type CheckedSheet,
  type GivenCells,
  type PersonRow,
  type ProjectRow,
  type RowFault,
} from './checked-sheet.ts'
import { splitTitle } from '../../../base/person-name.ts'
import {
  chosenHeadings,
  columnsOf,
  findHeadings,
  KIND_NAMES,
  type ChosenColumns,
  type Field,
  type Headings,
} from './sheet-columns.ts'

/** The most projects of one person in a sheet. */
const MOST_PROJECTS = 500

/** The columns that the office has chosen, for each sheet of a workbook by its index. */
type Choices = Record<number, ChosenColumns>

/** Reads the rows of all sheets, and collects every fault that can be found without the database. */
export async function checkSheet(
  tables: readonly SheetTable[],
  choices: Choices = {},
): Promise<CheckedSheet> {
  const checked: CheckedSheet = { tables: {}, projects: [], people: [], faults: [], notes: [] }
  for (const [at, table] of tables.entries()) await checkTable(table, at, choices[at], checked)
  if (Object.keys(checked.tables).length === 0 && checked.faults.length === 0)
    checked.faults.push(
      'Arket har ingen kolonner, som Ringbind kender. Projekter skal have kolonnen Projektnr., personer kolonnen E-mail.',
    )
  else if (checked.projects.length + checked.people.length === 0 && checked.faults.length === 0)
    checked.faults.push('Der er ingen rækker under overskrifterne.')
  return checked
}

/** Our own sheet with instructions for the others. */
const GUIDE = 'Vejledning'

async function checkTable(
  table: SheetTable,
  at: number,
  choice: ChosenColumns | undefined,
  checked: CheckedSheet,
): Promise<void> {
  const { name, rows, isHidden } = table
  if (rows.length === 0 || name === GUIDE) return
  const headings = choice ? chosenHeadings(rows, choice) : findHeadings(name, rows)
  if (!isHidden)
    checked.columns = [
      ...(checked.columns ?? []),
      columnsOf(at, name, rows, headings === 'both' ? null : headings),
    ]
  if (headings === null || isHidden) {
    if (name !== '' || choice)
      checked.notes.push(`Arket ${name || 'selv'} ${whySkipped(headings, choice)}, og er sprunget over.`)
  } else if (headings === 'both')
    checked.faults.push(
      `${name || 'Arket'}: Det kan ikke ses, om rækkerne er projekter eller personer. Vælg det herunder, eller kald kolonnen med numre Projektnr. eller Investornr.`,
    )
  else await checkKnown(table, headings, checked)
}

function whySkipped(headings: Headings | 'both' | null, choice: ChosenColumns | undefined): string {
  if (choice) return 'bruges ikke'
  return headings === null ? 'har ingen kolonner, som Ringbind kender' : 'er skjult'
}

/** Checks a sheet of projects or people. */
async function checkKnown(table: SheetTable, headings: Headings, checked: CheckedSheet): Promise<void> {
  const { kind } = headings
  const name = table.name || KIND_NAMES[kind]
  const other = checked.tables[kind]
  if (other) {
    checked.faults.push(
      `Både ${other.name} og ${table.name} har ${KIND_NAMES[kind].toLowerCase()}. Saml dem i ét ark.`,
    )
    return
  }
  checked.tables[kind] = { name, letters: lettersOf(headings) }
  tellOfHeadings(table, headings, name, checked)
  const count = table.rowsCount - table.rows.filter(({ row }) => row <= headings.row).length
  if (count > MOST_ROWS)
    checked.faults.push(
      `${name} har ${formatCount(count)} rækker. Der kan højst være ${formatCount(MOST_ROWS)} ad gangen. Del arket i flere.`,
    )
  else await checkRows(table, headings, name, checked)
}

const lettersOf = ({ fields }: Headings) =>
  Object.fromEntries([...fields].map(([at, field]) => [field, letterOf(at)]))

function tellOfHeadings(
  { merged }: SheetTable,
  { row, fields, unknown, doubled }: Headings,
  name: string,
  { faults, notes }: CheckedSheet,
): void {
  for (const { at, heading } of doubled)
    faults.push(`${name}, ${letterOf(at)}${row}: Kolonnen ${heading} er der to gange.`)
  if (unknown.length > 0)
    notes.push(
      `${name}: Ringbind bruger ikke ${unknown.length === 1 ? 'kolonnen' : 'kolonnerne'} ${unknown.slice(0, 20).join(', ')}${unknown.length > 20 ? ' …' : ''}.`,
    )
  const [first, last] = [Math.min(...fields.keys()), Math.max(...fields.keys())]
  for (const range of merged) {
    const found = rangeOf(range)
    if (!found || found.lastRow < row || found.lastColumn < first || found.firstColumn > last) continue
    faults.push(`${name}, ${range}: Cellerne er flettet. Ophæv fletningen, og skriv værdien i hver celle.`)
  }
}

function rangeOf(range: string) {
  const [, from, , to, lastRow] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? []
  if (from === undefined || to === undefined) return null
  return { firstColumn: columnAt(from), lastColumn: columnAt(to), lastRow: Number(lastRow) }
}

const columnAt = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const TROUBLES: Record<CellTrouble, string> = {
  formula: 'Formlen har ingen værdi. Gem arket i Excel igen, eller skriv værdien.',
  error: 'Excel viser en fejl i cellen. Skriv værdien i stedet.',
  length: 'Teksten er for lang.',
  digits: 'Excel har afrundet det lange tal. Gør cellen til tekst, og skriv nummeret igen.',
}

type Cells = Partial<Record<Field, string>>

async function checkRows(
  table: SheetTable,
  headings: Headings,
  name: string,
  checked: CheckedSheet,
): Promise<void> {
  const breathe = breather()
  const head = table.rows.find(({ row }) => row === headings.row)?.cells ?? []
  const given: GivenCells = { head, rows: {} }
  checked.given = { ...checked.given, [headings.kind]: given }
  const troubles = Map.groupBy(table.troubles, ({ row }) => row)
  let hasExample = false
  for (const { row, cells } of table.rows) {
    if (row <= headings.row) continue
    await breathe()
    const { texts, faults } = readCells(cells, troubles.get(row) ?? [], headings)
    if (Object.keys(texts).length + faults.length === 0) continue
    if (isExample(texts)) {
      hasExample = true
      continue
    }
    given.rows[row] = cells
    if (headings.kind === 'projects') checked.projects.push(projectOf(row, texts, faults))
    else checked.people.push(personOf(row, texts, faults))
  }
  if (hasExample) checked.notes.push(`${name}: Rækken med eksemplet er sprunget over.`)
}

/** Returns the texts of the known columns, and the faults of those that cannot be read. */
function readCells(
  cells: SheetTable['rows'][number]['cells'],
  troubles: SheetTable['troubles'],
  { fields }: Headings,
): { texts: Cells; faults: RowFault[] } {
  const texts: Cells = {}
  const faults = troubles.flatMap(({ at, trouble }): RowFault[] => {
    const field = fields.get(at)
    return field === undefined ? [] : [{ field, text: TROUBLES[trouble] }]
  })
  for (const [at, field] of fields) {
    const text = cells[at] ?? null
    if (text === null || isFaulty({ faults }, field)) continue
    if (!isReadable(text)) faults.push({ field, text: 'Teksten har tegn, der ikke kan læses.' })
    else texts[field] = text
  }
  return { texts, faults }
}

/** Whether this is the example row of our own sheet. */
const isExample = ({ number, name }: Cells) =>
  [number, name].some((text) => text !== undefined && /^\s*eksempel\s*:/i.test(text.slice(0, 30)))

const SCHEMAS = { ...PROJECT_SCHEMAS, ...formSchemas(YEAR_FIELDS) }

function projectOf(row: number, texts: Cells, faults: RowFault[]): ProjectRow {
  const project = readFields(PROJECT_FIELDS, SCHEMAS, reader(texts, faults))
  if (project.number === undefined && !isFaulty({ faults }, 'number'))
    faults.push({ field: 'number', text: 'Projektnummeret mangler.' })
  return { row, ...project, faults }
}

function personOf(row: number, texts: Cells, faults: RowFault[]): PersonRow {
  const parts = [texts.first_name, texts.last_name].filter((text) => text !== undefined)
  const joined = texts.name ?? (parts.length > 0 ? parts.join(' ') : undefined)
  const read = reader({ ...texts, ...(joined !== undefined && { name: joined }) }, faults)
  const values = readFields(COLUMN_FIELDS, USER_SCHEMAS, read)
  const { title, ...named } = values.name === undefined ? { title: '' } : splitTitle(values.name)
  read('active', readActive)
  const numbers = read('numbers', readNumbers) ?? []
  const projects = read('projects', readProjects) ?? []
  return { row, ...values, ...named, ...(title !== '' && { title }), numbers, projects, faults }
}

/** Reads the fields whose cells have a value that can be used. */
function readFields<All extends Fields>(
  fields: All,
  schemas: Record<keyof All, z.ZodType>,
  read: ReturnType<typeof reader>,
): Partial<ValuesOf<All>> {
  const values = namesOf(fields).flatMap((name) => {
    const readText = (text: string): Read<unknown> =>
      readCell(fields[name]!, text) ?? bySchema(schemas[name])(text)
    const value = read(name as Field, readText)
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(values) as Partial<ValuesOf<All>>
}

/** Reads a field's cell if it is not empty, or records its fault. */
function reader(texts: Cells, faults: RowFault[]) {
  return <Value>(field: Field, readText: (text: string) => Read<Value>): Value | undefined => {
    const text = texts[field]
    if (text === undefined || cleanLine(text) === '') return undefined
    const read = readText(text)
    if ('value' in read) return read.value
    faults.push({ field, text: read.fault })
    return undefined
  }
}

/** The rule of a form's field. */
function bySchema<Schema extends z.ZodType>(schema: Schema) {
  return (text: string): Read<z.infer<Schema>> => {
    const read = schema.safeParse(text)
    if (read.success) return { value: read.data }
    return { fault: read.error.issues[0]?.message ?? 'Teksten kan ikke bruges.' }
  }
}

function readNumbers(text: string): Read<string[]> {
  const numbers = textsIn(text)
  const { mostTexts } = USER_FIELDS.numbers
  if (numbers.length > mostTexts) return { fault: `En person kan højst have ${mostTexts} numre.` }
  const readNumber = bySchema(NUMBER_SCHEMA)
  const fault = numbers.map(readNumber).find((read) => 'fault' in read)
  return fault ?? { value: numbers }
}

function readProjects(text: string): Read<string[]> {
  const projects = [...new Set(textsIn(text).map(projectNumber))]
  return projects.length > MOST_PROJECTS
    ? { fault: `Skriv højst ${MOST_PROJECTS} projekter i en celle.` }
    : { value: projects }
}
