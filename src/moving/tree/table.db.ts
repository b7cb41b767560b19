import { sql } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'
import {
  extensionFault,
  isTooLong,
  isUnfit,
  keyInName,
  splitExtension,
  unfitText,
  yearInName,
} from '../../files/names/file-name.ts'
import { placeAnywhere } from '../../uploads/names/placing.ts'
import { nameAtPerson, nameInFolder, NO_EXTRAS } from './place/new-name.ts'
import { folderIn } from './place/hints.ts'
import type { OfficeIndex } from './place/office-index.ts'
import { cellsOf, readTable, TABLE_COLUMNS, type Column, type Edit, type TableRow } from './table.ts'

const AT_A_TIME = 1000

/** Yields the files of an import as rows of a table, some at a time. */
export async function* listTable(
  db: Database,
  importId: number,
  columns: readonly Column[],
  which: 'open' | 'all',
): AsyncGenerator<string[][]> {
  // Files that need a decision come first.
  const groups = which === 'all' ? [null] : [['waiting', 'unread', 'found'], ['ready'], ['left']]
  for (const states of groups)
    for (let after = 0; ;) {
      const rows = await listRows(
        db,
        sql`import_files.import_id = ${importId} and import_files.id > ${after}
          ${states ? sql`and import_files.state = any (${states})` : sql``} order by import_files.id limit ${AT_A_TIME}`,
      )
      if (rows.length > 0) yield rows.map((row) => cellsOf(row, columns))
      if (rows.length < AT_A_TIME) break
      after = rows.at(-1)!.id
    }
}

/** Counts the rows that `listTable` yields. */
export async function countTable(db: Database, importId: number, which: 'open' | 'all'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from import_files where import_id = ${importId}
      ${which === 'all' ? sql`` : sql`and state in ('waiting', 'unread', 'found', 'ready', 'left')`}`.execute(
    db,
  )
  return rows[0]!.count
}

async function listRows(db: Database | Trx, which: ReturnType<typeof sql>): Promise<TableRow[]> {
  const { rows } = await sql<TableRow>`
    select import_files.id, shown, coalesce(of_folder.number, projects.number) as project,
      (select min(number) from user_numbers where user_id = coalesce(folders.user_id, import_files.person_id)) as person,
      case when folders.user_id is null then folders.name end as folder, coalesce(files.name, import_files.name) as name,
      import_files.state, sureness, why, import_files.size, is_by_hand,
      to_char(import_files.changed_at at time zone 'Europe/Copenhagen', 'DD/MM/YYYY') as day
    from import_files
    left join files on files.id = import_files.file_id
    left join folders on folders.id = coalesce(files.folder_id, import_files.folder_id)
    left join projects on projects.id = import_files.project_id
    left join projects as of_folder on of_folder.id = folders.project_id
    where ${which}`.execute(db)
  return rows
}

/** The faults of a corrected table. Nothing is changed if there are any. */
export class TableFaults extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(`The table has ${faults.length} faults.`)
    this.faults = faults
  }
}

type Decision = {
  id: number
  state: 'ready' | 'left'
  project_id: number | null
  folder_id: number | null
  person_id: number | null
  name: string | null
  year: number | null
  why: string
}

/** Applies the decisions in a corrected table, all of them or none. Returns how many files were decided. */
export async function applyTable(
  db: Database,
  importId: number,
  sheet: readonly (readonly string[])[],
  office: OfficeIndex,
): Promise<number> {
  const { edits, faults } = readTable(sheet)
  const decisions: Decision[] = []
  for (let from = 0; from < edits.length; from += AT_A_TIME) {
    const some = edits.slice(from, from + AT_A_TIME)
    const rows = await listRows(
      db,
      sql`import_files.import_id = ${importId} and import_files.id = any (${some.map(({ id }) => id)}::bigint[])`,
    )
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const edit of some) {
      const decided = decide(edit, known.get(edit.id), office)
      if (typeof decided === 'string') faults.push(`Række ${edit.line}: ${decided}`)
      else if (decided) decisions.push(decided)
    }
  }
  if (faults.length > 0) throw new TableFaults(faults)
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < decisions.length; from += AT_A_TIME)
      await keepDecisions(trx, importId, decisions.slice(from, from + AT_A_TIME))
  })
  return decisions.length
}

/** Returns the decision of a row, null if it changes nothing, or what is wrong with it. */
function decide(edit: Edit, row: TableRow | undefined, office: OfficeIndex): Decision | string | null {
  if (!row) return `Nr. ${edit.id} er ikke en fil i denne flytning.`
  if (edit.shown !== row.shown) return `Nr. ${edit.id} hører til ”${row.shown}”, ikke til ”${edit.shown}”.`
  if (['imported', 'there', 'gone', 'undone'].includes(row.state)) return null
  const written = cellsOf(row, TABLE_COLUMNS)
  const cell = (key: string) => written[TABLE_COLUMNS.findIndex((column) => column.key === key)]
  const isEdited = (['project', 'person', 'folder', 'name'] as const).some((key) => edit[key] !== cell(key))
  if (!isEdited && edit.take === cell('take')) return null
  if (edit.take === '') return isEdited ? 'Rækken er rettet, men ”Tag med” er tom. Skriv ja eller nej.' : null
  if (edit.take === 'nej') return { ...NOWHERE, id: row.id, state: 'left', why: 'Fravalgt i tabellen.' }
  if (edit.take !== 'ja') return `”Tag med” skal være ja eller nej, ikke ”${edit.take}”.`
  if (row.state === 'left' && !row.is_by_hand) return `Filen kan ikke tages med: ${row.why}`
  return placeEdited(edit, row, office)
}

const NOWHERE = { project_id: null, folder_id: null, person_id: null, name: null, year: null }

const MISSING = 'Opret det i Ringbind, eller ret tabellen.'

function placeEdited(edit: Edit, row: TableRow, office: OfficeIndex): Decision | string {
  const original = row.shown.slice(row.shown.lastIndexOf('/') + 1)
  const wanted = edit.name === '' ? original : edit.name
  if (isUnfit(wanted)) return unfitText(wanted)
  const fault = extensionFault(original, wanted)
  if (fault && splitExtension(original).extension !== '') return fault
  if (edit.project !== '' && edit.person !== '') return 'Udfyld enten ”Projekt” eller ”Person”, ikke begge.'
  const place =
    edit.person === '' ? placeInProject(edit, wanted, office) : placeAtPerson(edit, wanted, office)
  if (typeof place === 'string') return place
  if (isTooLong(place.name)) return 'Navnet er for langt.'
  return {
    ...NOWHERE,
    ...place,
    id: row.id,
    state: 'ready',
    year: yearInName(place.name),
    why: 'Valgt i tabellen.',
  }
}

type Place = { project_id: number; folder_id: number; name: string } | { person_id: number; name: string }

function placeAtPerson(edit: Edit, wanted: string, office: OfficeIndex): Place | string {
  const person = office.peopleByNumber.get(edit.person)
  if (!person) return `Der er ingen investor med nummer ${edit.person}. ${MISSING}`
  if (edit.folder !== '') return 'En persons filer har ingen mappe. Lad ”Mappe” være tom.'
  const key = keyInName(wanted)
  // Another person's number would still lead to them.
  const isOthers = key !== null && key !== person.number && office.peopleByNumber.has(key)
  const own = isOthers ? wanted.replace(`(${key})`, `(${person.number})`) : wanted
  return { person_id: person.id, name: nameAtPerson(own, person.number, NO_EXTRAS) }
}

function placeInProject(edit: Edit, wanted: string, office: OfficeIndex): Place | string {
  if (edit.project === '') return 'Udfyld ”Projekt” eller ”Person”.'
  const project = office.map.projects[edit.project]
  if (!project) return `Projekt ${edit.project} findes ikke. ${MISSING}`
  if (edit.folder === '') return 'Udfyld ”Mappe”.'
  const exact = project.folders[edit.folder]
  const near = folderIn(edit.folder, project)
  const folder = exact ?? (near?.isSure && near.year === null ? near.folder : undefined)
  if (!folder)
    return `Mappen ”${edit.folder}” findes ikke i projekt ${edit.project}${near ? ` (ligner ”${near.folder.name}”)` : ''}. ${MISSING.replace('det', 'den')}`
  const { where } = placeAnywhere(wanted, office.map, () => 'project')
  const to = { folder: exact ? edit.folder : folder.name, key: project.number }
  const name = where?.folder?.id === folder.id ? wanted : nameInFolder(wanted, to, NO_EXTRAS)
  return { project_id: project.id, folder_id: folder.id, name }
}

async function keepDecisions(trx: Trx, importId: number, decisions: Decision[]): Promise<void> {
  await sql`
    update import_files set state = of.state, project_id = of.project_id, folder_id = of.folder_id,
      person_id = of.person_id, name = of.name, year = of.year, why = of.why, is_by_hand = true,
      sureness = case when of.state = 'ready' then 'sure' else import_files.sureness end
    from json_to_recordset(${JSON.stringify(decisions)}::json) as of (id bigint, state text, project_id bigint,
      folder_id bigint, person_id bigint, name text, year integer, why text)
    where import_files.id = of.id and import_files.import_id = ${importId}
      and import_files.state in ('found', 'unread', 'waiting', 'ready', 'left')`.execute(trx)
}
