import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { openSession } from '../../copies/session.db.ts'
import { TABLES, writeTables } from '../out/write-tables.db.ts'
import { findHeadings } from '../sheet/read/sheet-columns.ts'
import { READ_COLUMNS } from './exported.server.ts'
import { NOT_READ_BACK } from './not-read-back.ts'

/** The headings of every table of an export. */
async function exportedHeadings(): Promise<[table: string, headings: string[]][]> {
  const { db } = await freshDatabase()
  const root = await freshDirectory()
  await using client = await openSession(db)
  await client.query('begin')
  await writeTables(
    client,
    { root, plan: join(root, 'plan') },
    { timeZone: 'UTC', progress: () => undefined },
  )
  const files = await readdir(join(root, TABLES))
  return Promise.all(
    files.map(async (file): Promise<[string, string[]]> => {
      const rows: string[][] = parse(await readFile(join(root, TABLES, file)), { bom: true, delimiter: ';' })
      return [file.replace('.csv', ''), rows[0]!]
    }),
  )
}

/** The columns of a table that one of the two ways in reads. */
function readBack(table: string, cells: string[]): string[] {
  if (table === 'filer') return READ_COLUMNS
  if (table !== 'projekter' && table !== 'personer') return []
  const found = findHeadings(table, [{ row: 1, cells }])
  return found && found !== 'both' ? [...found.fields.keys()].map((at) => cells[at]!) : []
}

it('an import reads every column of an export, or names it with a reason', async () => {
  const faults: string[] = []
  const exported = await exportedHeadings()
  for (const [table, headings] of exported) {
    const reasons = NOT_READ_BACK[table] ?? {}
    const read = readBack(table, headings)
    const isNamed = (heading: string) => typeof reasons === 'string' || heading in reasons
    for (const heading of headings)
      if (!read.includes(heading) && !isNamed(heading))
        faults.push(
          `${table}: ${heading} is exported and not read back. Read it (src/moving/sheet/read/sheet-columns.ts; files: exported.server.ts), or name it in src/moving/tree/not-read-back.ts with the reason.`,
        )
    for (const heading of read)
      if (isNamed(heading)) faults.push(`${table}: ${heading} is read back, and named as not.`)
    for (const heading of typeof reasons === 'string' ? [] : Object.keys(reasons))
      if (!headings.includes(heading)) faults.push(`${table}: ${heading} is not exported.`)
  }
  const tables = new Set(exported.map(([table]) => table))
  for (const table of Object.keys(NOT_READ_BACK))
    if (!tables.has(table)) faults.push(`${table} is not exported.`)
  expect(faults).toEqual([])
})
