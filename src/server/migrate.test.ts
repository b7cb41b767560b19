import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DANISH, danishOrder } from '../../test/danish-order.ts'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { connect } from './database.ts'
import { migrate } from './migrate.ts'
import { PROJECT } from './project.ts'

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

it('runs what is missing, in order, once', async () => {
  const { db } = await freshDatabase({ migrated: false })
  expect(await migrate(db, one)).toEqual(['0001_one.sql'])
  expect(await migrate(db, two)).toEqual(['0002_two.sql'])
  expect(await migrate(db, two)).toEqual([])
  expect((await sql`select * from one`.execute(db)).rows).toHaveLength(1)
})

it('lets instances start together', async () => {
  const { connection, db } = await freshDatabase({ migrated: false })
  const instances = Array.from({ length: 5 }, () =>
    connect({ connection: { ...connection, max: 2 }, onError: () => undefined }),
  )
  const ran = await Promise.all(instances.map((instance) => migrate(instance, two)))
  expect(ran.flat().sort()).toEqual(['0001_one.sql', '0002_two.sql'])
  expect((await sql`select * from one`.execute(db)).rows).toHaveLength(1)
  await Promise.all(instances.map((instance) => instance.destroy()))
})

it('stops at a database that a newer Ringbind has used, and changes nothing', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await migrate(db, two)
  await expect(migrate(db, one)).rejects.toThrow(/newer Ringbind .*0002_two\.sql/)
})

it('stops at a database from another line of development', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await migrate(db, two)
  const other = await migrations({
    ...ONE,
    '0002_other.sql': 'create table other (id int)',
    '0003_more.sql': 'select 1',
  })
  await expect(migrate(db, other)).rejects.toThrow(/0002_two\.sql/)
})

it('leaves everything as it was when one of several fails', async () => {
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
  it('sort names the Danish way on the built-in PostgreSQL', async () => {
    const { db } = await freshDatabase()
    expect(await danishOrder(db)).toEqual(DANISH)
  })

  it('make people who were there before findable, sortable and counted', async () => {
    const { db } = await freshDatabase({ migrated: false })
    const names = (await readdir(new URL('db/', PROJECT))).filter((name) => name < '0005').sort()
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
