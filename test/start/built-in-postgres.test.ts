import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { makeSocketDirectory, startBuiltInPostgres } from '../../src/server/database/built-in-postgres.ts'
import { connect, type Database } from '../../src/server/database/database.ts'
import { postmasterFile, serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { freshDirectory } from '../directory.ts'
import { linkPrograms, startedDirectory } from './started-directory.ts'

const said: string[] = []
const options = { mayCreate: () => true, say: (message: string) => void said.push(message) }

async function makeDirectory(...more: string[]): Promise<string> {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // root runs PostgreSQL as another user
  const path = join(base, ...more)
  mkdirSync(path, { recursive: true })
  return path
}

/** A directory with a database. */
const madeDirectory = async () => join(await startedDirectory(), 'postgres')

/** A directory with PostgreSQL's programs, but no database. */
async function equippedDirectory(...more: string[]): Promise<string> {
  const directory = await makeDirectory(...more)
  await linkPrograms(directory)
  return directory
}

async function start(directory: string) {
  const postgres = await startBuiltInPostgres(directory, options)
  const db = connect({ connection: postgres.connection, onError: () => undefined })
  onTestFinished(async () => {
    await db.destroy()
    await postgres.stop()
  })
  return { postgres, db }
}

const show = async (db: Database, name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]!.value

it('the built-in PostgreSQL is durable and private, has no TCP port, and the app is not a superuser', async () => {
  const { db, postgres } = await start(await madeDirectory())
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
    expect([name, await show(db, name)]).toEqual([name, 'on'])
  }
  expect(await show(db, 'listen_addresses')).toBe('')
  expect(await show(db, 'is_superuser')).toBe('off')
  expect(statSync(postgres.connection.host!).mode & 0o777).toBe(0o700)
})

it('the built-in PostgreSQL works when the path is too long for a socket', async () => {
  const directory = await equippedDirectory('x'.repeat(80), 'æøå med mellemrum')
  const { db, postgres } = await start(directory)
  expect(postgres.connection.host!.startsWith(directory)).toBe(false)
  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1)
})

it('finds a short enough path for the socket, even if TMPDIR is long', async () => {
  const directory = await makeDirectory('x'.repeat(90))
  const before = process.env.TMPDIR
  process.env.TMPDIR = directory
  const socket = makeSocketDirectory(directory, undefined)
  if (before) process.env.TMPDIR = before
  else delete process.env.TMPDIR
  rmSync(socket, { recursive: true })
  expect(socket).toMatch(/^\/tmp\/ringbind-[0-9a-f]{16}$/)
})

it('restarts after a crash, and the pool reconnects', async () => {
  const { db, postgres } = await start(await madeDirectory())
  await sql`create table acts (id int)`.execute(db)
  for (let time = 1; time <= 3; time++) {
    process.kill(postgres.pid()!, 'SIGKILL')
    const add = () =>
      sql`insert into acts values (${time})`.execute(db).then(
        () => 'added',
        () => 'not yet',
      )
    await expect.poll(add).toBe('added')
    await sleep(100) // an orphaned backend may have inserted the row; it must still be there
    await expect.poll(() => countActs(db)).toBe(time)
  }
})

const countActs = (db: Database) =>
  sql<{ id: number }>`select distinct id from acts`.execute(db).then(
    ({ rows }) => rows.length,
    () => -1,
  )

it('a stopped PostgreSQL leaves no process behind', async () => {
  const directory = await madeDirectory()
  const { postgres, db } = await start(directory)
  await sql`select 1`.execute(db)
  expect(serverProcesses(join(directory, 'cluster')).length).toBeGreaterThan(1)
  await db.destroy()
  await postgres.stop()
  expect(serverProcesses(join(directory, 'cluster'))).toEqual([])
})

it('never kills an unrelated process that has the pid in a stale postmaster.pid', async () => {
  const directory = await madeDirectory()
  const innocent = spawn('sleep', ['60'])
  onTestFinished(() => void innocent.kill())
  writeFileSync(
    join(directory, 'cluster/postmaster.pid'),
    `${innocent.pid}\n${directory}/cluster\n0\n5432\n\n\n\nready\n`,
  )
  const { db } = await start(directory)
  expect((await sql`select 1`.execute(db)).rows).toHaveLength(1)
  expect(innocent.exitCode).toBeNull()
  expect(innocent.signalCode).toBeNull()
  expect(Number(postmasterFile(join(directory, 'cluster'))[0])).not.toBe(innocent.pid)
})

it('deletes an incomplete database and makes a complete one', async () => {
  const directory = await equippedDirectory()
  mkdirSync(join(directory, 'cluster-new-abc'))
  writeFileSync(join(directory, 'cluster-new-abc/PG_VERSION'), '18\n')
  await start(directory)
  expect(readdirSync(directory).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
})

it.each([
  [
    'was made by another version of PostgreSQL',
    /was made by PostgreSQL 15; this Ringbind has 18/,
    (cluster: string) => writeFileSync(join(cluster, 'PG_VERSION'), '15\n'),
  ],
  [
    'has lost its version file',
    /holds no PostgreSQL database/,
    (cluster: string) => rmSync(join(cluster, 'PG_VERSION')),
  ],
  [
    'is on a disk that is not mounted',
    /holds no PostgreSQL database/,
    (cluster: string) => {
      renameSync(cluster, `${cluster}-away`)
      symlinkSync('/nowhere/cluster', cluster)
    },
  ],
])('never makes a new database over one that %s', async (_what, message, damage) => {
  const directory = await madeDirectory()
  const cluster = join(directory, 'cluster')
  damage(cluster)
  const before = readdirSync(directory)
  await expect(startBuiltInPostgres(directory, options)).rejects.toThrow(message)
  expect(readdirSync(directory)).toEqual(before)
})

it('never makes a new database next to files of a lost one', async () => {
  const directory = await equippedDirectory()
  await expect(startBuiltInPostgres(directory, { ...options, mayCreate: () => false })).rejects.toThrow(
    /no database in .*restore a backup/,
  )
  expect(readdirSync(directory)).not.toContain('cluster')
})

it('says which characters a path must not contain', async () => {
  await expect(startBuiltInPostgres(join(await makeDirectory(), 'a$b'), options)).rejects.toThrow(
    /^DATA_DIR takes a path without/,
  )
})
