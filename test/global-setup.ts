import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openThrowAway } from '../demo/throw-away.ts'
import { protectLog } from '../src/log/chain/protect.db.ts'
import { ensureBuild } from '../src/server/process/build.ts'
import { startBuiltInPostgres } from '../src/server/database/built-in-postgres.ts'
import { connect } from '../src/server/database/database.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { findServingRole } from '../src/server/database/serving-role.db.ts'
import { startJobs } from '../src/server/work/jobs.ts'
import { ROW_TYPES } from './rows/shapes.ts'
import { dropRetired } from './release/two-steps.ts'

/** A separate program, beside the start of PostgreSQL, which takes as long. */
const DESCRIBE = fileURLToPath(new URL('rows/describe.ts', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the test server's socket. */
    socket: string
    /** A directory for what the test files of a run share. */
    shared: string
  }
}

let stop: (() => Promise<void>) | undefined

/** Starts one PostgreSQL for all tests, with a migrated database that each test file copies. */
export async function setup(project: TestProject): Promise<void> {
  await ensureBuild(console.log)
  const directory = await openThrowAway('test')
  const described = promisify(execFile)(process.execPath, [DESCRIBE, join(directory.path, ROW_TYPES)])
  const postgres = await startBuiltInPostgres(join(directory.path, 'postgres'), {
    mayCreate: () => true,
    connections: 100,
    isDurable: false,
    say: console.log,
  })
  const socket = postgres.connection.host!
  const admin = new Client({ host: socket, user: 'postgres', database: 'postgres' })
  await admin.connect()
  await admin.query('create database template owner ringbind_owner')
  await admin.query('grant create on database template to ringbind')
  await admin.end()
  const maker = new Client({ ...postgres.owner, database: 'template' })
  await maker.connect()
  await maker.query('grant create on schema public to ringbind, ringbind_log')
  await maker.end()
  const db = connect({ connection: { ...postgres.connection, database: 'template' }, onError: console.error })
  await migrate(db)
  await dropRetired(db)
  const jobs = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError: console.error })
  await jobs.stop()
  const owner = connect({ connection: { ...postgres.owner, database: 'template' }, onError: console.error })
  await protectLog(db, owner, await findServingRole(db))
  await owner.destroy()
  await db.destroy()
  await described
  project.provide('socket', socket)
  project.provide('shared', directory.path)
  stop = async () => {
    await postgres.stop()
    directory.remove()
  }
}

export async function teardown(): Promise<void> {
  await stop?.()
}
