import { join } from 'node:path'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  asSuperuser,
  connectAsOwner,
  freshDatabase,
  type TestDatabase,
} from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { LOG_ATTACKS } from '../../../test/load/log-attacks.ts'
import { makeUser } from '../../../test/make.ts'
import { listMigrations, migrate, migrateWithin } from '../../server/database/migrate.ts'
import { findServingRole } from '../../server/database/serving-role.db.ts'
import { PROJECT } from '../../server/process/project-directory.ts'
import { connect, type Database } from '../../server/database/database.ts'
import { addLogEntries } from '../log.db.ts'
import { checkChain } from './check-chain.db.ts'
import { forgetAddresses, forgetNames } from './forget.db.ts'
import { findGaps, protectLog, setForgetMonths } from './protect.db.ts'
import { listGaps } from './protection.ts'
import { sealEntries } from './seal.db.ts'

async function writeEntry(db: Database): Promise<void> {
  const { id } = await makeUser(db)
  await db
    .transaction()
    .execute((trx) =>
      addLogEntries(trx, { userId: id, address: '203.0.113.7' }, 'user-changed', [
        { names: { before: 'Anna', after: 'Anne' } },
      ]),
    )
}

const nothing = {
  superuser: false,
  roles: false,
  tables: false,
  functions: false,
  schema: false,
  database: false,
}

it.each([
  [nothing, []],
  [{ ...nothing, tables: true, schema: true }, ['tables', 'schema']],
  [{ ...nothing, superuser: true, tables: true }, ['superuser']],
])('lists the gaps of %o as %o', (found, gaps) => {
  expect(listGaps(found)).toEqual(gaps)
})

describe('the role that serves', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await freshDatabase()
    await writeEntry(test.db)
    await sealEntries(test.db)
  })

  it.each(LOG_ATTACKS.map((attack) => [attack]))('the server’s role is refused: %s', async (attack) => {
    const of = attack.replace('database current', `database ${test.name}`)
    await expect(sql.raw(of).execute(test.db)).rejects.toThrow(/^(must be (able|owner)|permission denied)/)
    expect(await findGaps(test.db)).toEqual([])
  })

  it('the server’s role cannot drop the database', async () => {
    const { db } = await freshDatabase()
    await expect(sql.raw(`drop database ${test.name}`).execute(db)).rejects.toThrow('must be owner')
  })

  it('forgets addresses by the stored rule only, even with tables and functions planted in its way', async () => {
    const { db } = await freshDatabase()
    await writeEntry(db)
    await asOwner(db, sql`update log set at = at - interval '3 months'`)
    await writeEntry(db)
    await sealEntries(db)
    expect(await forgetAddresses(db, 1)).toBe(0) // the rule says 12
    await using owner = await connectAsOwner(db)
    await setForgetMonths(owner, await findServingRole(db), 1)
    // Other things of the same name in another schema, and triggers that run at the end of the transaction.
    await sql`create schema mine`.execute(db)
    await sql`create table mine.log (like log)`.execute(db)
    await sql`create function mine.now() returns timestamptz language sql as 'select timestamptz ''infinity'''`.execute(
      db,
    )
    const forgotten = await db.connection().execute(async (holder) => {
      await sql`set search_path = mine, public, pg_catalog`.execute(holder)
      const { rows } = await sql<{ many: number }>`select forget_log_addresses(-100) as many`.execute(holder)
      await sql`reset search_path`.execute(holder)
      return rows[0]!.many
    })
    expect(forgotten).toBe(1)
    expect(await forgetAddresses(db, 1)).toBe(0)
    await forgetNames(db, 1)
    expect(await db.selectFrom('log_names').select('before').execute()).toHaveLength(1)
    const { rows } = await sql<{ many: number }>`
      select count(address)::integer as many from log where act = 'user-changed'`.execute(db)
    expect(rows).toEqual([{ many: 1 }])
    expect((await checkChain(db)).fault).toBeNull()
  })
})

it('an entry gets the time at which it is written, within an hour, and the next number', async () => {
  const { db } = await freshDatabase()
  const write = async (at: string) => {
    const { rows } = await sql<{ minutes: number }>`
      insert into log (act, at) values ('sign-in', now() + ${at}::interval)
      returning round(extract(epoch from clock_timestamp() - at) / 60)::integer as minutes`.execute(db)
    return rows[0]!.minutes
  }
  expect(await write('-5 minutes')).toBe(5)
  for (const at of ['-2 hours', '-3 years', '1 day']) expect(await write(at)).toBe(0)
  await sql`create schema mine`.execute(db)
  await sql`create function mine.clock_timestamp() returns timestamptz language sql as 'select timestamptz ''2020-01-01'''`.execute(
    db,
  )
  const kept = await db.connection().execute(async (holder) => {
    await sql`set search_path = mine, public, pg_catalog`.execute(holder)
    const { rows } = await sql<{
      at: Date
    }>`insert into log (act, at) values ('sign-in', '2020-01-01') returning at`.execute(holder)
    await sql`reset search_path`.execute(holder)
    return rows[0]!.at
  })
  expect(kept.getFullYear()).toBeGreaterThan(2020)
})

it.each([
  ['tables', () => ['grant insert on log_rules to ringbind']],
  ['tables', () => ['alter table log_chain_marks owner to ringbind']],
  ['functions', () => ['alter function date_log_entry() owner to ringbind']],
  ['tables', () => ['alter table log_names owner to ringbind']],
  ['tables', () => ['grant update (address) on log to ringbind']],
  ['tables', () => ['grant delete on log_chain to ringbind']],
  ['tables', () => ['grant trigger on log to public']],
  ['functions', () => ['alter function note_log() owner to ringbind']],
  ['functions', () => ['alter function forget_log_names(integer) owner to ringbind']],
  ['schema', () => ['alter schema public owner to ringbind']],
  ['schema database', (name: string) => [`alter database ${name} owner to ringbind`]],
] as const)('finds the gap %s', async (gaps, open) => {
  const { db, name } = await freshDatabase()
  expect(await findGaps(db)).toEqual([])
  for (const statement of open(name)) await asSuperuser(statement, name)
  expect(await findGaps(db)).toEqual(gaps.split(' '))
})

it('finds a server that runs as superuser', async () => {
  const { connection } = await freshDatabase()
  await using db = connect({
    connection: { ...connection, user: 'postgres' },
    onError: () => undefined,
  })
  expect(await findGaps(db)).toEqual(['superuser'])
})

describe('an installation from before', () => {
  it('protects an older installation once, and later migrations change its log as before', async () => {
    const { db, name } = await freshDatabase({ migrated: false })
    const before = (await listMigrations()).findIndex((file) => file.startsWith('0055_'))
    await migrateWithin(db, undefined, before)
    await writeEntry(db)
    expect(await findGaps(db)).toEqual(['tables', 'functions', 'schema', 'database'])
    // As a start does.
    await asSuperuser('grant usage, create on schema public to ringbind, ringbind_log', name)
    await asSuperuser(`alter database ${name} owner to ringbind_owner`)
    await asSuperuser(`grant create on database ${name} to ringbind`)
    await using owner = await connectAsOwner(db)
    const serving = await findServingRole(db)
    expect((await migrate(owner, undefined, { serving }))[0]).toBe('0055_log_role.sql')
    expect(await findGaps(db)).toEqual(['tables', 'functions'])
    await protectLog(db, owner, serving)
    await protectLog(db, owner, serving)
    expect(await findGaps(db)).toEqual([])
    await writeEntry(db)
    await sealEntries(db)
    expect(await checkChain(db)).toMatchObject({ links: 4, fault: null })

    const path = await directoryWith(
      'alter table log add weight integer; create table weights (log_id bigint references log); insert into weights default values;',
    )
    expect(await migrate(owner, path, { serving })).toEqual([expect.stringContaining('_weights.sql')])
    expect(await findGaps(db)).toEqual([])
    await sql`delete from weights`.execute(db)
    await sql`drop table weights`.execute(db)
    const failing = await directoryWith('alter table log add height integer; select 1 / 0;', 1)
    await expect(migrate(owner, failing, { serving })).rejects.toThrow('division by zero')
    expect(await findGaps(db)).toEqual([])
  })
})

/** Returns a directory with our migrations and one more after the `more` that it already has. */
async function directoryWith(text: string, more = 0): Promise<URL> {
  const path = join(await freshDirectory(), 'db')
  await mkdir(path)
  const known = await listMigrations()
  for (const file of known) await copyFile(new URL(`db/${file}`, PROJECT), join(path, file))
  const number = (index: number) => String(known.length + index + 1).padStart(4, '0')
  if (more > 0)
    await writeFile(
      join(path, `${number(0)}_weights.sql`),
      'alter table log add weight integer; create table weights (log_id bigint references log); insert into weights default values;',
    )
  await writeFile(join(path, `${number(more)}_${more > 0 ? 'failing' : 'weights'}.sql`), text)
  return pathToFileURL(`${path}/`)
}
