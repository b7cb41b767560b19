import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { checkChain } from '../../src/log/chain/check-chain.db.ts'
import { findGaps } from '../../src/log/chain/protect.db.ts'
import { sealEntries } from '../../src/log/chain/seal.db.ts'
import { findBuiltInPostgres, startBuiltInPostgres } from '../../src/server/database/built-in-postgres.ts'
import { connect, type Database } from '../../src/server/database/database.ts'
import { listMigrations, migrateWithin } from '../../src/server/database/migrate.ts'
import { makeExternalPostgres } from '../neighbours/external-postgres.ts'
import { freshDirectory } from '../directory.ts'
import { LOG_ATTACKS } from '../load/log-attacks.ts'
import { makeUser } from '../make.ts'
import { ROOT, startProcess, statusOf } from '../start/processes.ts'
import { emptyDirectory } from '../start/started-directory.ts'

/** Tries everything, each in a transaction that is taken back. */
async function expectRefusals(db: Database, database: string): Promise<void> {
  for (const attack of LOG_ATTACKS) {
    const tried = db.transaction().execute(async (trx) => {
      await sql.raw(attack.replace('database current', `database ${database}`)).execute(trx)
      throw new Error(`it could: ${attack}`)
    })
    // A connection that has written no entry yet cannot name one either.
    await expect(tried).rejects.toThrow(
      /^(must be |must have |permission denied|role ".*" does not exist|currval of sequence)/,
    )
  }
  expect(await findGaps(db)).toEqual([])
}

function openRunning(dataDir: string): Database {
  const connection = findBuiltInPostgres(join(dataDir, 'postgres'))
  if (!connection) throw new Error('The database does not run.')
  return opened({ connection })
}

function opened(options: Pick<Parameters<typeof connect>[0], 'connection'>): Database {
  const db = connect({ ...options, onError: () => undefined })
  onTestFinished(() => db.destroy())
  return db
}

async function runCommand(env: Record<string, string>, ...args: string[]): Promise<string> {
  const command = startProcess(env, { args })
  expect([args[0], await command.ended, command.output()]).toEqual([args[0], 0, expect.any(String)])
  return command.output()
}

it('protects an older built-in database automatically, and a restore of its copy', async () => {
  const DATA_DIR = await emptyDirectory()
  await makeOld(DATA_DIR)
  const server = startProcess({ DATA_DIR, HOST: '127.0.0.1' })
  await server.url
  const db = openRunning(DATA_DIR)
  await expectRefusals(db, 'ringbind')
  await sealEntries(db)
  expect(await checkChain(db)).toMatchObject({ fault: null })
  const copy = join(await freshDirectory(), 'copy.tar')
  await runCommand({ DATA_DIR }, 'scripts/backup.ts', copy)
  expect(await runCommand({ DATA_DIR }, 'scripts/verify.ts')).not.toContain('broken')

  const restored = await emptyDirectory()
  await runCommand({ DATA_DIR: restored }, 'scripts/restore.ts', copy)
  const other = startProcess({ DATA_DIR: restored })
  await other.url
  const there = openRunning(restored)
  await expectRefusals(there, 'ringbind')
  // The sequence came along, so new entries have new numbers.
  await makeUser(there)
  await sealEntries(there)
  expect(await checkChain(there)).toMatchObject({ fault: null })
  await runCommand({ DATA_DIR: restored }, 'scripts/verify.ts')
}, 900_000)

/** Makes a data directory as the version before had it: one role, which owns everything. */
async function makeOld(dataDir: string): Promise<void> {
  const postgres = await startBuiltInPostgres(join(dataDir, 'postgres'), {
    mayCreate: () => true,
    say: () => undefined,
  })
  try {
    const admin = new Client({ ...postgres.connection, user: 'postgres' })
    await admin.connect()
    await admin.query('alter database ringbind owner to ringbind')
    await admin.query('drop owned by ringbind_log, ringbind_owner')
    await admin.query('drop role ringbind_log, ringbind_owner')
    await admin.query('revoke all on schema public from ringbind')
    await admin.end()
    await using db = connect({ connection: postgres.connection, onError: () => undefined })
    const before = (await listMigrations()).findIndex((name) => name.startsWith('0055_'))
    await migrateWithin(db, undefined, before)
    await makeUser(db, { role: 'administrator' })
    expect(await findGaps(db)).toContain('tables')
  } finally {
    await postgres.stop()
  }
}

it('protects the log on another server by the commands of docs/drift.md, and works without', async () => {
  const postgres = await makeExternalPostgres()
  onTestFinished(() => postgres.stop())
  const admin = await postgres.makeDatabase('ringbind')
  const execute = async (text: string) => {
    const client = new Client(admin)
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await execute(`create role ringbind login password 'hemmelig'; alter database ringbind owner to ringbind`)
  const DATABASE_URL = admin.replace('kontor:', 'ringbind:')
  const DATA_DIR = await emptyDirectory()
  const start = async (more: Record<string, string> = {}) => {
    const server = startProcess({ DATA_DIR, DATABASE_URL, ...more })
    expect(await statusOf(await server.url)).toBe(200)
    return server
  }
  const stop = async ({ child, ended }: Awaited<ReturnType<typeof start>>) => {
    child.kill('SIGTERM')
    await ended
  }
  await stop(await start())
  const db = opened({ connection: { connectionString: DATABASE_URL } })
  expect(await findGaps(db)).toEqual(['tables', 'functions', 'schema', 'database'])

  const commands = /```sql\n(create role ringbind_log[^`]*)```/.exec(
    readFileSync(join(ROOT, 'docs/drift.md'), 'utf8'),
  )![1]!
  await execute(commands.replace('adgangskode', 'hemmelig'))
  const DATABASE_OWNER_URL = admin.replace('kontor:', 'ringbind_owner:')
  await stop(await start({ DATABASE_OWNER_URL }))
  await expectRefusals(db, 'ringbind')
  await makeUser(db)
  await sealEntries(db)
  expect(await checkChain(db)).toMatchObject({ fault: null })
  await stop(await start()) // the address of the owner is needed for migrations alone
  await sql`delete from migrations where name >= '0055'`.execute(db)
  const refused = startProcess({ DATA_DIR, DATABASE_URL })
  expect([await refused.ended, refused.output()]).toEqual([
    1,
    expect.stringContaining('set DATABASE_OWNER_URL for this start') as string,
  ])
}, 900_000)
