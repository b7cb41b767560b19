import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { alone } from './alone.db.ts'
import type { Database, Trx } from './database.ts'
import { PROJECT } from './project.ts'

const MIGRATIONS = new URL('db/', PROJECT)

/**
 * Brings the database up to the numbered SQL files in `db/`: all that are missing, in one transaction, under
 * a lock, so that instances may start together. Answers the names of those it ran.
 */
export async function migrate(db: Database, directory = MIGRATIONS): Promise<string[]> {
  await refuseHalfRestored(db)
  return alone(db, 'migrate', () =>
    db.transaction().execute(async (trx) => {
      await refuseHalfRestored(trx)
      return migrateWithin(trx, directory)
    }),
  )
}

/** The same within a transaction of the caller's, up to the first so many. */
export async function migrateWithin(
  trx: Database | Trx,
  directory = MIGRATIONS,
  many = Infinity,
): Promise<string[]> {
  const known = await listMigrations(directory)
  const done = await listDone(trx)
  refuseNewer(done, known)
  const missing = known.slice(done.length, many)
  for (const name of missing) {
    await sql.raw(await readFile(new URL(name, directory), 'utf8')).execute(trx)
    await sql`insert into migrations (name) values (${name})`.execute(trx)
  }
  return missing
}

/** What a restore leaves until it is done is nobody's office. */
async function refuseHalfRestored(db: Database | Trx): Promise<void> {
  if (await isThere(db, 'restoring'))
    throw new Error(
      'A copy is being restored into this database, or was not to its end: run `npm run restore` again.',
    )
}

async function isThere(db: Database | Trx, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(
    db,
  )
  return rows[0]!.there
}

/** Throws unless the database is just as far as this version's migrations. */
export async function checkMigrated(db: Database, directory = MIGRATIONS): Promise<void> {
  const known = await listMigrations(directory)
  await refuseHalfRestored(db)
  const done = (await isThere(db, 'migrations')) ? await listApplied(db) : []
  refuseNewer(done, known)
  if (done.length === 0) throw new Error('There is nothing of Ringbind in the database yet.')
  if (done.length < known.length)
    throw new Error(
      'The database is that of an older Ringbind: start this one once, so that it is brought up to date.',
    )
}

export async function listMigrations(directory = MIGRATIONS): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach((name, index) => {
    if (!name.startsWith(`${String(index + 1).padStart(4, '0')}_`)) {
      throw new Error(`Migrations are numbered without gaps: ${name} is number ${index + 1}.`)
    }
  })
  return names
}

async function listDone(trx: Database | Trx): Promise<string[]> {
  await sql`
    create table if not exists migrations (
      name text collate "C" primary key,
      applied_at timestamptz not null default now()
    )`.execute(trx)
  return listApplied(trx)
}

async function listApplied(db: Database | Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function refuseNewer(done: string[], known: string[]): void {
  const strange = done.find((name, index) => name !== known[index])
  if (strange) {
    throw new Error(
      `The database has been used by a newer Ringbind (it knows ${strange}, this one does not): start that one.`,
    )
  }
}
