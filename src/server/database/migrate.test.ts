import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DANISH, danishOrder } from '../../../test/office/danish-order.ts'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { connect, connectAlone } from './database.ts'
import { checkMigrated, checksumOf, listMigrations, migrate } from './migrate.ts'
import { PROJECT } from '../process/project-directory.ts'

async function migrations(files: Record<string, string>): Promise<URL> {
  const path = join(await freshDirectory(), 'db')
  await mkdir(path)
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return pathToFileURL(`${path}/`)
}

const ONE = { '0001_one.sql': 'create table one (id int); insert into one values (1);' }
const TWO = { ...ONE, '0002_two.sql': 'create table two (id int)' }

let one: URL
let two: URL
beforeAll(async () => {
  one = await migrations(ONE)
  two = await migrations(TWO)
})

it('runs missing migrations once, in order', async () => {
  const { db } = await freshDatabase({ migrated: false })
  expect(await migrate(db, one)).toEqual(['0001_one.sql'])
  expect(await migrate(db, two)).toEqual(['0002_two.sql'])
  expect(await migrate(db, two)).toEqual([])
  expect((await sql`select * from one`.execute(db)).rows).toHaveLength(1)
})

it('lets several instances start together', async () => {
  const { connection, db } = await freshDatabase({ migrated: false })
  const instances = Array.from({ length: 5 }, () =>
    connect({ connection: { ...connection, max: 2 }, onError: () => undefined }),
  )
  const ran = await Promise.all(instances.map((instance) => migrate(instance, two)))
  expect(ran.flat().sort()).toEqual(['0001_one.sql', '0002_two.sql'])
  expect((await sql`select * from one`.execute(db)).rows).toHaveLength(1)
  await Promise.all(instances.map((instance) => instance.destroy()))
})

it('refuses a database that a newer Ringbind has used, and changes nothing', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await migrate(db, two)
  await expect(migrate(db, one)).rejects.toThrow(/newer Ringbind .*0002_two\.sql/)
})

it('refuses a database from another line of development', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await migrate(db, two)
  const other = await migrations({
    ...ONE,
    '0002_other.sql': 'create table other (id int)',
    '0003_more.sql': 'select 1',
  })
  await expect(migrate(db, other)).rejects.toThrow(/0002_two\.sql/)
})

describe('beside instances of the last release', () => {
  const released = (migration: string) => ({
    'released.json': JSON.stringify({ version: '1.0.0', commit: '', migration, jobs: 40 }),
  })
  const THREE = { ...TWO, '0003_three.sql': 'create table three (id int)' }

  it('lets the last release start and run, and nothing older', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, two)
    await migrate(db, await migrations({ ...THREE, ...released('0002_two.sql') }))
    expect(await migrate(db, two)).toEqual([])
    await checkMigrated(db, { directory: two })
    await expect(migrate(db, one)).rejects.toThrow(/newer Ringbind .*0002_two\.sql/)
    await expect(checkMigrated(db, { directory: one })).rejects.toThrow(/newer Ringbind/)
  })

  it('shuts out the release before, when one was skipped', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, one)
    await migrate(db, await migrations({ ...THREE, ...released('0002_two.sql') }))
    await expect(migrate(db, one)).rejects.toThrow(/newer Ringbind .*0002_two\.sql/)
    expect(await migrate(db, two)).toEqual([])
  })

  const ADDING = { ...TWO, '0003_add.sql': 'alter table one add a int; alter table two add b int;' }

  it('a migration blocks nobody while it waits for a long read', async () => {
    const { connection, db } = await freshDatabase({ migrated: false })
    await migrate(db, two)
    const reader = await connectAlone(db)
    await reader.query('begin; select from two')
    const { promise: isWaiting, resolve: say } = Promise.withResolvers<string>()
    const migrator = connect({ connection: { ...connection, max: 2 }, onError: () => undefined })
    const migrated = migrate(migrator, await migrations(ADDING), { say })
    expect(await isWaiting).toMatch(/^The tables of the database are in use \(process \d+ of PostgreSQL, /)
    for (let round = 0; round < 3; round++) await sql`insert into one values (2)`.execute(db)
    await reader.query('commit')
    await reader.end()
    expect(await migrated).toEqual(['0003_add.sql'])
    await migrator.destroy()
  })

  it('a migration causes no deadlock with a transaction that locks its tables in another order', async () => {
    const { connection, db } = await freshDatabase({ migrated: false })
    await migrate(db, two)
    const writer = await connectAlone(db)
    await writer.query('begin; insert into two values (1)')
    const { promise: isWaiting, resolve: say } = Promise.withResolvers<string>()
    const migrator = connect({ connection: { ...connection, max: 2 }, onError: () => undefined })
    const migrated = migrate(migrator, await migrations(ADDING), { say })
    await isWaiting
    await writer.query('insert into one values (2)')
    await writer.query('commit')
    await writer.end()
    expect(await migrated).toEqual(['0003_add.sql'])
    await migrator.destroy()
  })

  it('a migration gives up when it is told to stop', async () => {
    const { connection, db } = await freshDatabase({ migrated: false })
    await migrate(db, two)
    const reader = await connectAlone(db)
    await reader.query('begin; select from two')
    const stop = new AbortController()
    const migrator = connect({ connection: { ...connection, max: 2 }, onError: () => undefined })
    const waiting = { say: () => stop.abort(), signal: stop.signal }
    await expect(migrate(migrator, await migrations(ADDING), waiting)).rejects.toThrow(/abort/i)
    await reader.end()
    await migrator.destroy()
  })
})

describe('a migration that has changed since it was applied', () => {
  const CHANGED = { ...TWO, '0001_one.sql': 'create table one (id bigint); insert into one values (1);' }
  const REFUSED =
    /^The migration 0001_one\.sql is not the one that this database was made with: .*npm run backup/

  it('a changed migration stops the start with one line and changes nothing', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, one)
    await expect(migrate(db, await migrations(CHANGED))).rejects.toThrow(REFUSED)
    expect((await sql`select to_regclass('two') as two`.execute(db)).rows).toEqual([{ two: null }])
  })

  it('a changed migration stops every command except backup', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, two)
    const directory = await migrations(CHANGED)
    await expect(checkMigrated(db, { directory })).rejects.toThrow(REFUSED)
    await checkMigrated(db, { directory, mayBeUnfinished: true })
    await checkMigrated(db, { directory: two })
  })

  it('a migration may have other line endings', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, await migrations({ '0001_one.sql': 'create table one (\n  id int\n)\n' }))
    await migrate(db, await migrations({ '0001_one.sql': 'create table one (\r\n  id int\r\n)\r\n' }))
  })

  it('a migration applied before there were checksums gets its checksum at the next start', async () => {
    const { db } = await freshDatabase({ migrated: false })
    await migrate(db, one)
    await sql`alter table migrations drop column checksum`.execute(db)
    await checkMigrated(db, { directory: one })
    await migrate(db, two)
    await expect(migrate(db, await migrations(CHANGED))).rejects.toThrow(REFUSED)
  })
})

it('changes nothing if one of several migrations fails', async () => {
  const { db } = await freshDatabase({ migrated: false })
  const broken = await migrations({ ...TWO, '0003_broken.sql': 'create table three (id int); select broken' })
  await expect(migrate(db, broken)).rejects.toThrow(/broken/)
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db)
  expect(rows).toEqual([])
})

it('refuses a gap in the numbers', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await expect(migrate(db, await migrations({ '0002_two.sql': 'select 1' }))).rejects.toThrow(
    '0002_two.sql is number 1',
  )
})

describe('the real migrations', () => {
  it('migrations never change after their commit: db/checksums.txt has a line for each', async () => {
    const names = await listMigrations()
    const lines = await Promise.all(names.map(async (name) => `${await checksumOf(name)}  ${name}`))
    const kept = (await readFile(new URL('db/checksums.txt', PROJECT), 'utf8')).trimEnd().split('\n')
    const unkept = lines.filter((line) => !kept.includes(line))
    expect(
      unkept,
      `A migration that is committed is never edited. For a new one add to db/checksums.txt:\n${unkept.join('\n')}\n`,
    ).toEqual([])
    expect(kept).toEqual(lines)
  })

  // The migrations as first committed, or between two edits.
  const EDITED: [name: string, now: string, before: string][] = [
    ['0003_accounts.sql', '  created_at timestamptz not null default now(),\n  expires_at', '  expires_at'],
    ['0005_projects.sql', 'coalesce(new.changed_at, now())', 'new.changed_at'],
    [
      '0006_files.sql',
      `check (name not in ('', '.', '..') and name is nfc normalized)`,
      `check (name <> '')`,
    ],
    ['0007_uploads.sql', '  content text collate "C" not null,\n', ''],
    ['0011_log.sql', 'alter table log add detail text collate "C";', ''],
    ['0011_log.sql', 'log (user_id, at, id) include (act, project_id)', 'log (user_id, at, id)'],
    ['0012_new_files.sql', ' include (id, uploaded_by, created_at)', ''],
  ]

  it.each(EDITED)(
    'migrations refuse data that an earlier %s has made (without %j)',
    async (name, now, before) => {
      const { db } = await freshDatabase({ migrated: false })
      const names = await listMigrations()
      const texts = await Promise.all(
        names.map(async (each) => [each, await readFile(new URL(`db/${each}`, PROJECT), 'utf8')] as const),
      )
      const files = Object.fromEntries(texts.filter(([each]) => each <= '0013'))
      expect(files[name]).toContain(now)
      await migrate(db, await migrations({ ...files, [name]: files[name]!.replace(now, before) }))
      await sql`alter table migrations drop column checksum`.execute(db)
      const refusal = `The database is that of an unfinished Ringbind, whose ${name} was another one: take the data along`
      await expect(migrate(db)).rejects.toThrow(refusal)
      await expect(checkMigrated(db)).rejects.toThrow(refusal)
      await checkMigrated(db, { mayBeUnfinished: true })
    },
  )

  it('migrations accept data from before there were checksums', async () => {
    const { db } = await freshDatabase()
    await sql`alter table migrations drop column checksum`.execute(db)
    await checkMigrated(db)
    expect(await migrate(db)).toEqual([])
    const { rows } = await sql`select from migrations where checksum is null`.execute(db)
    expect(rows).toEqual([])
  })

  it('names sort the Danish way on the built-in PostgreSQL', async () => {
    const { db } = await freshDatabase()
    expect(await danishOrder(db)).toEqual(DANISH)
  })

  it('migrations make existing people searchable, sortable and counted', async () => {
    const { db } = await freshDatabase({ migrated: false })
    const names = (await listMigrations()).filter((name) => name < '0005')
    const texts = await Promise.all(names.map((name) => readFile(new URL(`db/${name}`, PROJECT), 'utf8')))
    await migrate(db, await migrations(Object.fromEntries(names.map((name, index) => [name, texts[index]!]))))
    await sql`insert into users (name, email, email_key, role) values ('Åse Holm', 'A@b.dk', 'a@b.dk', 'investor')`.execute(
      db,
    )
    await sql`insert into user_numbers select number, id from users, unnest(array['10', '9']) as number`.execute(
      db,
    )
    await migrate(db)
    const { rows } = await sql`
      select search like '%åse%' as is_found, first_number, (select count from counts) as count from users`.execute(
      db,
    )
    expect(rows).toEqual([{ is_found: true, first_number: '9', count: 1 }])
  })
})
