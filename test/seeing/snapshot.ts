import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { listTables, openSession, quoted } from '../../src/copies/session.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { FileStorage } from '../../src/server/storage/storage.ts'

/** Every row of every table as text, and the last value of every sequence. */
export type Rows = Record<string, string[]>

/** Tables that a running Ringbind writes to even if nobody does anything. */
const TICKING = new Set(['clock', 'schedules'])

/** Reads all rows: the current ones, or those in an exported snapshot. */
export async function readRows(db: Database, snapshot?: string): Promise<Rows> {
  await using client = await openSession(db)
  await client.query('begin isolation level repeatable read read only')
  if (snapshot) await client.query(`set transaction snapshot '${snapshot}'`)
  const rows: Rows = {}
  for (const { name } of await listTables(client))
    if (!TICKING.has(name)) rows[name] = await readTable(client, name)
  return rows
}

async function readTable(client: Client, name: string): Promise<string[]> {
  // A test's database lacks retired columns, and a restored one has them.
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0
       and not attisdropped and col_description(attrelid, attnum) is distinct from 'retired' order by attnum`,
    [quoted(name)],
  )
  const { rows } = await client.query<{ line: string }>(
    `select row(${columns.map((column) => column.name).join()})::text as line from ${quoted(name)}`,
  )
  return rows.map(({ line }) => line).sort()
}

/** Returns the SHA-256 of everything in a store, by key. */
export async function readBytes(storage: FileStorage): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { key } of storage.list()) {
    const hash = createHash('sha256')
    for await (const chunk of await storage.open(key)) hash.update(chunk as Buffer)
    found.set(key, hash.digest('hex'))
  }
  return found
}
