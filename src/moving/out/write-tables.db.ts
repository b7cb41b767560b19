import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { sql } from 'kysely'
import { distinctNames } from '../../files/zip/archive-names.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../log/csv.ts'
import { readAll } from '../../log/entries.db.ts'
import type { LogEntry } from '../../log/words/entry.ts'
import { EXPORT_HEADS, exportCells } from '../../log/export.ts'
import { overClient, type Database } from '../../server/database/database.ts'
import { cellOf } from './cell.ts'
import {
  nameDirectories,
  type Directories,
  type FolderToName,
  type PersonToName,
  type ProjectToName,
} from './directories.ts'
import { EXPORTED_TABLES, type ExportedTable } from './exported-tables.db.ts'
import { readRows } from './snapshot.db.ts'
import { TextFile, writeWhole } from './text-file.server.ts'
import { writePlan } from './write-plan.db.ts'

export const TABLES = 'Tabeller'
const PICTURES = 'Profilbilleder'
const LOGO = 'Kontorets logo.png'
const SUMS = 'sha256.txt'

type Target = { root: string; plan: string }
type Options = { timeZone: string; progress: (text: () => string) => void; signal?: AbortSignal | undefined }

/**
 * Writes every table, and the plan of the files, as the database is in the session's transaction. Returns how much there is
 * to copy.
 */
export async function writeTables(
  client: Client,
  { root, plan }: Target,
  { timeZone, progress, signal }: Options,
): Promise<{ files: number; bytes: number }> {
  const db = overClient(client)
  await sql`select set_config('TimeZone', ${timeZone}, true)`.execute(db)
  for (const name of [TABLES, PICTURES, LOGO]) await rm(join(root, name), { recursive: true, force: true }) // of a try that was stopped
  for (const name of [TABLES, PICTURES]) await mkdir(join(root, name), { mode: 0o700 })
  const directories = await readDirectories(db)
  await using sums = await TextFile.create(join(root, SUMS))
  const note = (path: string, sha256: string) => sums.write(`${sha256}  ${path}\n`)
  for (const table of EXPORTED_TABLES) {
    progress(() => `Writing the table ${table.name} …`)
    signal?.throwIfAborted()
    const path = `${TABLES}/${table.name}.csv`
    await note(path, await writeTable(client, db, join(root, path), table, directories))
  }
  await note(`${TABLES}/log.csv`, await writeLog(db, join(root, TABLES, 'log.csv'), { timeZone, signal }))
  for await (const { path, bytes } of readPictures(db)) {
    signal?.throwIfAborted()
    await note(path, await writeWhole(join(root, path), bytes))
  }
  progress(() => 'Planning the files …')
  const path = `${TABLES}/filer.csv`
  const { total, sha256 } = await writePlan(client, db, {
    plan,
    table: join(root, path),
    note,
    directories,
    signal,
  })
  await note(path, sha256)
  await sums.finish()
  return total
}

async function readDirectories(db: Database): Promise<Directories> {
  const projects =
    await sql<ProjectToName>`select id, number, name from projects order by number, id`.execute(db)
  const people = await sql<PersonToName>`
    select id, first_number as number, name from users
    where exists (select from folders where folders.user_id = users.id) order by name, id`.execute(db)
  const folders = await sql<FolderToName>`
    select id, name, project_id as "projectId", user_id as "userId" from folders
    where project_id is not null or user_id is not null order by place, id`.execute(db)
  return nameDirectories(projects.rows, people.rows, folders.rows)
}

async function writeTable(
  client: Client,
  db: Database,
  file: string,
  { query, path }: ExportedTable,
  directories: Directories,
): Promise<string> {
  await using text = await TextFile.create(file)
  let hasHead = false
  for await (const { headings, rows } of readRows(client, db, 'exported', query)) {
    if (!hasHead)
      await text.write(
        BYTE_ORDER_MARK + csvLine([...headings.map(({ name }) => name), ...(path ? ['Sti'] : [])]),
      )
    hasHead = true
    for (const row of rows) {
      const cells = row.map((value, index) => cellOf(value, headings[index]?.type ?? 0))
      await text.write(csvLine(path ? [...cells, directories[path].get(Number(row[0])) ?? ''] : cells))
    }
  }
  return await text.finish()
}

const LOG_COLUMNS: [head: string, cell: (entry: LogEntry) => string | number][] = [
  ['Kode', ({ act }) => act],
  ['Tidspunkt (UTC)', ({ at }) => at],
  ['Set som-id', (entry) => entry.seen_as?.id ?? ''],
  ['Set som', (entry) => entry.seen_as?.name ?? ''],
  ['På vegne af-id', ({ lender }) => lender?.id ?? ''],
  ['På vegne af', ({ lender }) => lender?.name ?? ''],
  ['Projekt-id', ({ project }) => project?.id ?? ''],
  ['Mappe-id', ({ folder }) => folder?.id ?? ''],
  ['Fil-id', ({ file }) => file?.id ?? ''],
  ['Detalje', ({ detail }) => detail ?? ''],
  ['Navn før', ({ names }) => names?.before ?? ''],
  ['Navn efter', ({ names }) => names?.after ?? ''],
]

async function writeLog(
  db: Database,
  file: string,
  { timeZone, signal }: Pick<Options, 'timeZone' | 'signal'>,
): Promise<string> {
  await using text = await TextFile.create(file)
  await text.write(BYTE_ORDER_MARK + csvLine([...EXPORT_HEADS, ...LOG_COLUMNS.map(([head]) => head)]))
  for await (const rows of readLogRows(db, timeZone)) {
    signal?.throwIfAborted()
    for (const row of rows) await text.write(csvLine(row))
  }
  return await text.finish()
}

/** Yields the cells of every entry of the log, newest first, some at a time. */
export async function* readLogRows(db: Database, timeZone: string): AsyncGenerator<(string | number)[][]> {
  for await (const entries of readAll(db, {}, Number.MAX_SAFE_INTEGER))
    yield entries.map((entry) => [
      ...exportCells(entry, timeZone),
      ...LOG_COLUMNS.map(([, cell]) => cell(entry)),
    ])
}

type Picture = { path: string; bytes: Buffer }

/** Reads the pictures that the database holds itself, one at a time: small ones of people, and the office's logo. */
export async function* readPictures(db: Database): AsyncGenerator<Picture> {
  const logos = await sql<{ logo: Buffer }>`select logo from office where logo is not null`.execute(db)
  for (const { logo } of logos.rows) yield { path: LOGO, bytes: logo }
  const owners = await sql<{ id: number; name: string }>`
    select id, concat_ws(' ', first_number, name) as name from profile_images join users on users.id = user_id
    order by id`.execute(db)
  const names = distinctNames(owners.rows.map(({ name }) => `${name}.webp`))
  for (const [index, { id }] of owners.rows.entries()) {
    const { rows } = await sql<{ large: Buffer }>`
      select large from profile_images where user_id = ${id}`.execute(db)
    for (const { large } of rows) yield { path: `${PICTURES}/${names[index]}`, bytes: large }
  }
}
