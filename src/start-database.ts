import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Config } from './config.ts'
import { protectLog, setForgetMonths } from './log/chain/protect.db.ts'
import { startBuiltInPostgres } from './server/database/built-in-postgres.ts'
import { connect, isDatabaseGone, type Database } from './server/database/database.ts'
import { checkServerVersion, isUnused } from './server/database/health.db.ts'
import { migrate } from './server/database/migrate.ts'
import { findServingRole } from './server/database/serving-role.db.ts'
import { settlePlace } from './server/storage/installation.db.ts'
import type { OpenStorage } from './server/storage/open-storage.ts'
import { checkStores, rememberStore } from './server/storage/stores.db.ts'

type Say = (message: string) => void

type Start = {
  config: Config
  dataDir: string
  storage: OpenStorage
  /** How many processes answer requests beside this one. */
  workers: number
  /** The data is thrown away afterwards. */
  demo: boolean
  say: Say
  signal: AbortSignal
  /** Stops what was started. */
  started: AsyncDisposableStack
}

type StartedDatabase = {
  db: Database
  connection: PoolConfig
  /** The connection that may change tables, if it is another one. */
  owner: PoolConfig | null
  isNew: boolean
}

/** Starts our own PostgreSQL unless another is named, brings the database up to date, and checks that the files are its own. */
export async function startDatabase(start: Start): Promise<StartedDatabase> {
  const { config, dataDir, storage, signal, started } = start
  const { connection, owner } = config.databaseUrl ? namedDatabase(config) : await ownDatabase(start)
  signal.throwIfAborted()
  const db = connect({ connection, onError: () => undefined }) // the next query gets the error
  started.defer(() => within(5, db.destroy()))
  await waitForDatabase(db, config, signal)
  if (config.databaseUrl && (await isUnused(db)) && !(await storage.isEmpty()))
    throw new Error(
      'The database in DATABASE_URL is empty, but there are files in the store: restore a copy (npm run restore), or name the right database.',
    )
  const isNew = await migratePatiently(db, connection, owner, start)
  await checkStores(db, config)
  await settlePlace(db, { config, dataDir, storage })
  await rememberStore(db, config)
  signal.throwIfAborted()
  return { db, connection, owner, isNew }
}

type Connections = Pick<StartedDatabase, 'connection' | 'owner'>

const namedDatabase = ({ databaseUrl, databaseOwnerUrl }: Config): Connections => ({
  connection: { connectionString: databaseUrl! },
  owner: databaseOwnerUrl ? { connectionString: databaseOwnerUrl } : null,
})

async function ownDatabase({ dataDir, storage, workers, demo, say, started }: Start): Promise<Connections> {
  const postgres = await startBuiltInPostgres(join(dataDir, 'postgres'), {
    mayCreate: () => storage.isEmpty(),
    connections: 21 + 11 * workers,
    isDurable: !demo,
    say,
  })
  started.defer(() => postgres.stop())
  return postgres
}

/** Migrates without a time limit, with the owner's connection if there is one. Returns whether the database was new. */
async function migratePatiently(
  serving: Database,
  connection: PoolConfig,
  owner: PoolConfig | null,
  { say, signal }: Start,
): Promise<boolean> {
  const db = connect({ connection: owner ?? connection, onError: () => undefined, patienceMs: 0 })
  try {
    const done = await migrate(db, undefined, {
      serving: owner && (await findServingRole(serving)),
      say,
      signal,
    })
    return done.some((name) => name.startsWith('0001_'))
  } catch (error) {
    throw isRefusedRole(error) ? new Error(roleAdvice(error, owner !== null), { cause: error }) : error
  } finally {
    await db.destroy()
  }
}

/** Whether an error says that a role may not do something, or is not there. */
const isRefusedRole = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && ['42501', '42704'].includes(String(error.code))

const roleAdvice = ({ message }: Error, hasOwner: boolean) =>
  hasOwner
    ? `The database could not be brought up to date by its owner (${message}): docs/drift.md says what the role of DATABASE_OWNER_URL needs.`
    : `The database could not be brought up to date (${message}): if the log is protected, set DATABASE_OWNER_URL for this start (docs/drift.md).`

/** Takes the right to change the log from the role that serves. People are served even if that fails; the status page tells. */
export async function protect(
  serving: Database,
  owner: PoolConfig,
  forgetMonths: number,
  say: Say,
): Promise<void> {
  const db = connect({ connection: owner, onError: () => undefined })
  try {
    const role = await findServingRole(serving)
    await protectLog(serving, db, role)
    await setForgetMonths(db, role, forgetMonths)
  } catch (error) {
    say(`The log could not be protected from being changed: ${reasonOf(error)}. The next start tries again.`)
  } finally {
    await db.destroy()
  }
}

/** Waits for a database server that may be starting at the same time. */
async function waitForDatabase(db: Database, { databaseUrl }: Config, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await checkServerVersion(db)
    } catch (error) {
      if (!isDatabaseGone(error) || attempt === 30) {
        const where = databaseUrl ? ' in DATABASE_URL' : ''
        throw new Error(`The database${where} cannot be used: ${reasonOf(error)}`, { cause: error })
      }
    }
    await sleep(500, undefined, { signal })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : (error as Error).message
}

/** Limits the wait, so that a database that no longer answers cannot block the exit. */
export async function within(seconds: number, end: Promise<void>): Promise<void> {
  await Promise.race([end, sleep(seconds * 1000, undefined, { ref: false })])
}
