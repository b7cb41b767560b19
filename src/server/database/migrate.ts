import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { alone } from './alone.db.ts'
import type { Database, Trx } from './database.ts'
import { withKeeper, type ServingRole } from './serving-role.db.ts'
import { takeTables, whenFree, type Waiting } from './take-tables.ts'
import { PROJECT } from '../process/project-directory.ts'

const MIGRATIONS = new URL('db/', PROJECT)

/**
 * Runs all missing SQL files of `db/` in one transaction, under a lock, so that instances may start together. Instances of
 * the last release may go on meanwhile. Returns the names of the files it ran. If `db` is the owner's, `serving` is the role
 * that serves.
 */
export async function migrate(
  db: Database,
  directory = MIGRATIONS,
  { serving = null, ...waiting }: Waiting & { serving?: ServingRole | null } = {},
): Promise<string[]> {
  await refuseHalfRestored(db)
  const work = async (trx: Trx) => {
    await refuseHalfRestored(trx)
    if (await isThere(trx, 'migrations')) await takeTables(trx, await listTexts(trx, directory))
    return migrateWithin(trx, directory)
  }
  const within = (trx: Trx) => (serving ? withKeeper(trx, serving, () => work(trx)) : work(trx))
  return alone(db, 'migrate', () => whenFree(db, within, waiting))
}

/** Returns the migrations that will run, as SQL. */
async function listTexts(trx: Trx, directory: URL): Promise<string[]> {
  const missing = (await listMigrations(directory)).slice((await listApplied(trx)).length)
  const texts = await Promise.all(missing.map((name) => readFile(new URL(name, directory), 'utf8')))
  return (await hasNewColumns(trx)) ? texts : [...texts, 'migrations']
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
  const ours = done.slice(0, known.length)
  await refuseChanged(trx, ours, directory)
  for (const { name } of ours.filter(({ checksum }) => checksum === null)) {
    const checksum = await checksumOf(name, directory)
    await sql`update migrations set checksum = ${checksum} where name = ${name}`.execute(trx)
  }
  const missing = known.slice(done.length, many)
  const released = await findReleased(directory)
  for (const name of missing) {
    await sql.raw(await readFile(new URL(name, directory), 'utf8')).execute(trx)
    const checksum = await checksumOf(name, directory)
    const needs = released && name > released.migration ? released.migration : null
    await sql`insert into migrations (name, checksum, needs) values (${name}, ${checksum}, ${needs})`.execute(
      trx,
    )
  }
  return missing
}

/** Returns the same as `sha256sum`, even if git changed the line ends. */
export async function checksumOf(name: string, directory = MIGRATIONS): Promise<string> {
  const text = await readFile(new URL(name, directory), 'utf8')
  return hash('sha256', text.replaceAll('\r\n', '\n'))
}

export type Released = {
  version: string
  commit: string
  /** Its last migration. */
  migration: string
  /** The version of the tables of pg-boss. */
  jobs: number
}

/** Returns the release before this one, whose instances may run beside this one's. Null for other migrations than ours. */
export async function findReleased(directory = MIGRATIONS): Promise<Released | null> {
  const file = new URL('released.json', directory)
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Released) : null
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
 * Throws unless the database has all of this version's migrations, and no more than it can live with. With `mayBeUnfinished`,
 * one that was made with other migrations passes.
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
    await refuseChanged(db, done.slice(0, known.length), directory)
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
  /** The last migration that a Ringbind must know to live with this one. Null if it must know this one. */
  needs: string | null
}

async function listDone(trx: Database | Trx): Promise<Applied[]> {
  await sql`
    create table if not exists migrations (
      name text collate "C" primary key,
      applied_at timestamptz not null default now()
    )`.execute(trx)
  // Only when needed: altering a table waits for everybody who reads it, even a long backup.
  if (!(await hasNewColumns(trx)))
    await sql`
      alter table migrations
        add column if not exists checksum text collate "C",
        add column if not exists needs text collate "C"`.execute(trx)
  return listApplied(trx)
}

async function hasNewColumns(db: Database | Trx): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute
    where attrelid = to_regclass('migrations') and attname in ('checksum', 'needs')`.execute(db)
  return rows.length === 2
}

async function listApplied(db: Database | Trx): Promise<Applied[]> {
  // The columns are missing until a version that has them starts with this database.
  const { rows } = await sql<Applied>`
    select name, to_jsonb(migrations) ->> 'checksum' as checksum, to_jsonb(migrations) ->> 'needs' as needs
    from migrations order by name`.execute(db)
  return rows
}

/** Refuses what another line of development or a newer Ringbind has made, unless that only added to what this one knows. */
function refuseNewer(done: Applied[], known: string[]): void {
  const last = known.at(-1) ?? ''
  const strange = done.find(
    ({ name, needs }, index) =>
      name !== known[index] && (index < known.length || needs === null || needs > last),
  )
  if (strange) {
    throw new Error(
      `The database has been used by a newer Ringbind (it knows ${strange.name}, this one does not): start that one.`,
    )
  }
}
