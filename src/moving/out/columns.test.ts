import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { beforeAll, expect, it } from 'vitest'
import { columnKey, listColumns, type Column } from '../../../test/rows/catalogue.ts'
import { freshDatabase } from '../../../test/database.ts'
import { changeOf, openFilled } from '../../../test/office/filled-office.ts'
import { overClient } from '../../server/database/database.ts'
import { EXPORTED_TABLES } from './exported-tables.db.ts'
import { LEFT_OUT_COLUMNS, WRITTEN_APART } from './left-out.ts'
import { PLAN_COLUMNS, STORED_FILES, WAITING_FILES } from './planned-files.db.ts'
import { eachRow } from './snapshot.db.ts'
import { readLogRows, readPictures } from './write-tables.db.ts'

/** Each part of the export, with the tables that it reads. */
const WRITTEN_OF = Object.entries(WRITTEN_APART).concat(EXPORTED_TABLES.map(({ name, of }) => [name, of]))

let columns: Column[]
let client: Client
const before = new Map<string, string[]>()
beforeAll(async () => {
  const database = await freshDatabase()
  const tables = new Set(WRITTEN_OF.flatMap(([, of]) => of))
  const all = await listColumns(database.db)
  columns = all.filter(({ table, isMade }) => tables.has(table) && !isMade)
  client = await openFilled(
    database,
    all.filter(({ table }) => tables.has(table) || table === 'tokens'),
  )
  await client.query('begin')
  for (const [name] of WRITTEN_OF) before.set(name, await readWritten(name))
})

/** Reads the rows of a file of the export as the export does, in any order. */
async function readWritten(name: string): Promise<string[]> {
  const rows = await Array.fromAsync(rowsOf(name))
  return rows.map((row) => JSON.stringify(row)).sort()
}

async function* rowsOf(name: string): AsyncGenerator<unknown[]> {
  const db = overClient(client)
  if (name === 'log') {
    for await (const rows of readLogRows(db, 'UTC')) yield* rows
  } else if (name === 'pictures') {
    for await (const { path, bytes } of readPictures(db))
      yield [path, createHash('sha256').update(bytes).digest('hex')]
  } else if (name === 'filer') {
    for await (const { row } of eachRow(client, db, 'stored', STORED_FILES)) yield row.slice(PLAN_COLUMNS)
  } else {
    const query =
      name === 'Indbakke' ? WAITING_FILES : EXPORTED_TABLES.find((table) => table.name === name)!.query
    for await (const { row } of eachRow(client, db, 'exported', query)) yield row
  }
}

/** Whether changing the column changes the export, without changing its number of rows. */
async function isWritten({ table }: Column, change: string): Promise<boolean> {
  await client.query('savepoint filled')
  await client.query(change)
  let isChanged = false
  for (const [name, of] of WRITTEN_OF) {
    if (!of.includes(table)) continue
    const [was, is] = [before.get(name)!, await readWritten(name)]
    isChanged ||= was.length === is.length && was.join('\n') !== is.join('\n')
  }
  await client.query('rollback to filled')
  return isChanged
}

it(
  'every column of an exported table is exported, or left out with a reason',
  { timeout: 300_000 },
  async () => {
    const faults: string[] = []
    for (const column of columns) {
      const key = columnKey(column)
      const isLeftOut = key in LEFT_OUT_COLUMNS
      const isThere =
        (!isLeftOut && (await isWritten(column, changeOf(column, { alsoEmpty: true })))) ||
        (await isWritten(column, changeOf(column, { alsoEmpty: false })))
      if (isThere && isLeftOut)
        faults.push(`${key} is exported: take it out of LEFT_OUT_COLUMNS (src/moving/out/left-out.ts).`)
      if (!isThere && !isLeftOut)
        faults.push(
          `${key} is not exported: add it to its query in src/moving/out/exported-tables.db.ts (files: planned-files.db.ts), or to LEFT_OUT_COLUMNS in left-out.ts with the reason.`,
        )
    }
    expect(faults).toEqual([])
  },
)

it('every column that is left out of the export exists', () => {
  const known = new Set(columns.map(columnKey))
  expect(Object.keys(LEFT_OUT_COLUMNS).filter((key) => !known.has(key))).toEqual([])
})
