import { randomBytes } from 'node:crypto'
import { Client, type PoolConfig, type QueryResult } from 'pg'
import { inject } from 'vitest'
import { connect, type Database } from '../src/server/database/database.ts'
import { afterwards } from './clean-up.ts'

/** Runs SQL as the superuser, in any database of the test server. */
export async function asSuperuser(sql: string, database = 'postgres'): Promise<QueryResult> {
  const admin = new Client({ host: inject('socket'), user: 'postgres', database })
  await admin.connect()
  try {
    return await admin.query(sql)
  } finally {
    await admin.end()
  }
}

export type TestDatabase = { db: Database; connection: PoolConfig; name: string }

/** Makes a database for one test file, migrated or empty. Drops it after the file's tests. */
export async function freshDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create database ${name} owner ringbind template ${migrated ? 'template' : 'template0'}`)
  const connection = { host: inject('socket'), user: 'ringbind', database: name, max: 5 }
  const db = connect({ connection, onError: () => undefined })
  afterwards(async () => {
    await db.destroy()
    await asSuperuser(`drop database ${name} with (force)`)
  })
  return { db, connection, name }
}
