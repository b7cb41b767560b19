import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import { Client, type PoolConfig, type QueryResult } from 'pg'
import { inject } from 'vitest'
import { connect, connectAlone, type Database } from '../src/server/database/database.ts'
import { afterwards } from './clean-up.ts'
import { checkRows } from './rows/check.ts'
import { ROW_TYPES } from './rows/shapes.ts'

checkRows(join(inject('shared'), ROW_TYPES))

/** Runs SQL as the superuser, in any database of the test server. */
export async function asSuperuser(text: string, database = 'postgres'): Promise<QueryResult> {
  const admin = new Client({ host: inject('socket'), user: 'postgres', database })
  await admin.connect()
  try {
    return await admin.query(text)
  } finally {
    await admin.end()
  }
}

/** Runs SQL that changes the log, which the role that serves may not. */
export async function asOwner(db: Database, query: RawBuilder<unknown>): Promise<void> {
  await using owner = await connectAsOwner(db)
  await query.execute(owner)
}

/** Connects to the same database with the role that migrates. */
export async function connectAsOwner(db: Database): Promise<Database> {
  const { host, port, database } = await connectAlone(db).then(async (client) => {
    await client.end()
    return client
  })
  const connection = { host, port, database, user: 'ringbind_owner', max: 5 }
  return connect({ connection, onError: () => undefined })
}

export type TestDatabase = { db: Database; connection: PoolConfig; name: string }

/** Makes a database for one test file, migrated or empty. Drops it after the file's tests. */
export async function freshDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // An empty one belongs to the role that serves, as that of an external server does.
  if (migrated) {
    await asSuperuser(`create database ${name} owner ringbind_owner template template`)
    await asSuperuser(`grant create on database ${name} to ringbind`)
  } else await asSuperuser(`create database ${name} owner ringbind template template0`)
  const connection = { host: inject('socket'), user: 'ringbind', database: name, max: 5 }
  const db = connect({ connection, onError: () => undefined })
  afterwards(async () => {
    await db.destroy()
    await asSuperuser(`drop database ${name} with (force)`)
  })
  return { db, connection, name }
}
