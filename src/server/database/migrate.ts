import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { alone } from './alone.db.ts'
import type { Database, Trx } from './database.ts'
import { PROJECT } from '../process/project-directory.ts'

const MIGRATIONS = new URL('db/', PROJECT)

/**
 * Runs all missing SQL files of `db/` in one transaction, under a lock, so that instances may start together. Returns
 * the names of the files it ran.
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

/** Does the same in the caller's transaction, up to the first `many` files. */
export async function migrateWithin(
  trx: Database | Trx,
  directory = MIGRATIONS,
  many = Infinity,
): Promise<string[]> {
  const known = await listMigrations(directory)
  const done = await listDone(trx)
  refuseNewer(done, known)
  await refuseChanged(trx, done, directory)
  for (const { name } of done.filter(({ checksum }) => checksum === null)) {
    const checksum = await checksumOf(name, directory)
    await sql`update migrations set checksum = ${checksum} where name = ${name}`.execute(trx)
  }
  const missing = known.slice(done.length, many)
  for (const name of missing) {
    await sql.raw(await readFile(new URL(name, directory), 'utf8')).execute(trx)
    const checksum = await checksumOf(name, directory)
    await sql`insert into migrations (name, checksum) values (${name}, ${checksum})`.execute(trx)
  }
  return missing
}

/** Returns the same as `sha256sum`, even if git changed the line ends. */
export async function checksumOf(name: string, directory = MIGRATIONS): Promise<string> {
  const text = await readFile(new URL(name, directory), 'utf8')
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

const TAKE_ALONG =
  'take the data along by a copy (`npm run backup -- FILE`) that you restore into an empty place (`npm run restore -- FILE`).'

/** Refuses a database that was made with other migrations: it would cause errors later. */
async function refuseChanged(db: Database | Trx, done: Applied[], directory: URL): Promise<void> {
  const changed = await findChanged(done, directory)
  if (changed)
    throw new Error(
      `The migration ${changed} is not the one that this database was made with: put the file back as it was, or ${TAKE_ALONG}`,
    )
  const unfinished = await findUnfinished(db, done, directory)
  if (unfinished)
    throw new Error(
      `The database is that of an unfinished Ringbind, whose ${unfinished} was another one: ${TAKE_ALONG}`,
    )
}

async function findChanged(done: Applied[], directory: URL): Promise<string | undefined> {
  for (const { name, checksum } of done)
    if (checksum !== null && checksum !== (await checksumOf(name, directory))) return name
  return undefined
}

/** Finds a migration that was edited after it ran here. Before checksums were stored, only the schema shows that. */
async function findUnfinished(
  db: Database | Trx,
  done: Applied[],
  directory: URL,
): Promise<string | undefined> {
  const old = new Set(done.filter(({ checksum }) => checksum === null).map(({ name }) => name))
  if (old.size === 0 || directory.href !== MIGRATIONS.href) return undefined
  const query = await readFile(new URL('history/edited.sql', directory), 'utf8')
  const { rows } = await sql.raw<{ name: string }>(query).execute(db)
  return rows.find(({ name }) => old.has(name))?.name
}

/** Refuses a database that a restore has not finished. */
async function refuseHalfRestored(db: Database | Trx): Promise<void> {
  if (await isThere(db, 'restoring'))
    throw new Error(
      'A copy is being restored into this database, or was not to its end: run `npm run restore` again, or start in an empty place.',
    )
}

export async function isThere(db: Database | Trx, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(
    db,
  )
  return rows[0]!.there
}

/**
 * Throws unless the database has exactly this version's migrations. With `mayBeUnfinished`, one that was made with
 * other migrations passes.
 */
export async function checkMigrated(
  db: Database,
  { mayBeUnfinished = false, directory = MIGRATIONS } = {},
): Promise<void> {
  const known = await listMigrations(directory)
  await refuseHalfRestored(db)
  const done = (await isThere(db, 'migrations')) ? await listApplied(db) : []
  refuseNewer(done, known)
  if (done.length === 0) throw new Error('There is nothing of Ringbind in the database yet.')
  try {
    await refuseChanged(db, done, directory)
  } catch (error) {
    if (mayBeUnfinished) return
    throw error
  }
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

type Applied = {
  name: string
  /** Null if it was applied before checksums were stored, or by a Ringbind that stores none. */
  checksum: string | null
}

async function listDone(trx: Database | Trx): Promise<Applied[]> {
  await sql`
    create table if not exists migrations (
      name text collate "C" primary key,
      applied_at timestamptz not null default now()
    )`.execute(trx)
  const done = await listApplied(trx)
  // Only when needed: altering a table waits for everybody who reads it, even a long backup.
  if (done.every(({ checksum }) => checksum === null))
    await sql`alter table migrations add column if not exists checksum text collate "C"`.execute(trx)
  return done
}

async function listApplied(db: Database | Trx): Promise<Applied[]> {
  // The column is missing until a version that has it starts with this database.
  const { rows } = await sql<Applied>`
    select name, to_jsonb(migrations) ->> 'checksum' as checksum from migrations order by name`.execute(db)
  return rows
}

function refuseNewer(done: Applied[], known: string[]): void {
  const strange = done.find(({ name }, index) => name !== known[index])
  if (strange) {
    throw new Error(
      `The database has been used by a newer Ringbind (it knows ${strange.name}, this one does not): start that one.`,
    )
  }
}
