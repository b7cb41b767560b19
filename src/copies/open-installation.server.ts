import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Config } from '../config.ts'
import {
  findBuiltInPostgres,
  hasBuiltInPostgres,
  startBuiltInPostgres,
} from '../server/database/built-in-postgres.ts'
import {
  DataDirectoryTaken,
  isRootOnOthers,
  openDataDirectory,
  refuseRootOnOthers,
} from '../server/process/data-directory.ts'
import { connect, isDatabaseGone, type Database } from '../server/database/database.ts'
import { checkServerVersion } from '../server/database/health.db.ts'
import { checkPlace, refuseMarkedBucket } from '../server/storage/installation.db.ts'
import { checkMigrated, isThere } from '../server/database/migrate.ts'
import { openStorage, type OpenStorage } from '../server/storage/open-storage.ts'
import { checkStores } from '../server/storage/stores.db.ts'

/** The database and storage that the configuration names, for a command. */
export type Installation = AsyncDisposable & {
  config: Config
  dataDir: string
  /** Has no time limits: a command's queries may take long. */
  db: Database
  storage: OpenStorage
}

type Options = {
  say: (message: string) => void
  /** Allows an empty place: creates an empty database and does not check its schema. */
  mayBeEmpty?: boolean
  /** Allows a schema that does not match this version's migrations, as it is only read. */
  mayBeUnfinished?: boolean
  /**
   * The command writes nothing into the data directory. Then root may run it on another user's running
   * installation.
   */
  onlyReads?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Opens the installation, whether Ringbind runs or not. Uses a built-in PostgreSQL that is running; otherwise
 * starts it, and locks the data directory for this process until the end.
 */
export async function openInstallation(config: Config, options: Options): Promise<Installation> {
  await using opened = new AsyncDisposableStack()
  const { mayBeEmpty = false } = options
  if (!mayBeEmpty && !config.databaseUrl && !hasBuiltInPostgres(join(config.dataDir, 'postgres')))
    throw new Error(`There is no Ringbind in ${config.dataDir}: set DATA_DIR to where it is.`)
  if (mayBeEmpty) refuseForeign(config.dataDir)
  if (!options.onlyReads) refuseRootOnOthers(config.dataDir)
  const { dataDir, connection, storage } = config.databaseUrl
    ? await openExternal(config)
    : await openBuiltIn(config, options, opened)
  const db = connect({ connection, onError: () => undefined, patienceMs: 0 })
  opened.defer(() => db.destroy())
  await checkServerVersion(db).catch((error: unknown) => refuse(error))
  if (!mayBeEmpty) {
    await checkMigrated(db, options)
    if (await isThere(db, 'stores')) await checkStores(db, config)
    if (await isThere(db, 'installation')) await checkPlace(db, { config, dataDir, bucket: storage.bucket })
  } else await refuseMarkedBucket({ config, dataDir, storage })
  const kept = opened.move()
  return { config, dataDir, db, storage, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Refuses another user's directory: its owner could not read files that root creates there. */
export function refuseForeign(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid
  const me = process.geteuid?.()
  if (owner !== undefined && me !== undefined && owner !== me)
    throw new Error(
      `${dataDir} belongs to user ${owner}, and this is run by user ${me}: run it as the user that runs Ringbind, to whom the directory must belong.`,
    )
}

type Opened = { dataDir: string; connection: PoolConfig; storage: OpenStorage }

async function openExternal(config: Config): Promise<Opened> {
  const dataDir = existsSync(config.dataDir) ? realpathSync(config.dataDir) : config.dataDir
  const storage = await openStorage(config, dataDir)
  return { dataDir, connection: { connectionString: config.databaseUrl! }, storage }
}

const ATTEMPTS = 60

/** Retries while another process holds the directory, as it may be starting or stopping. */
async function openBuiltIn(
  config: Config,
  { say, signal }: Options,
  opened: AsyncDisposableStack,
): Promise<Opened> {
  // Root would leave files of its own there, starting with the lock.
  if (isRootOnOthers(config.dataDir)) {
    const running = await findRunning(config)
    if (running) return running
    refuseRootOnOthers(config.dataDir)
  }
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await startAlone(config, say, opened)
    } catch (error) {
      if (!(error instanceof DataDirectoryTaken)) throw error
    }
    const running = await findRunning(config)
    if (running) return running
    if (attempt === ATTEMPTS)
      throw new Error(`A Ringbind holds ${config.dataDir}, but its database does not answer.`)
    await sleep(500, undefined, signal && { signal })
  }
}

async function startAlone(
  config: Config,
  say: (message: string) => void,
  opened: AsyncDisposableStack,
): Promise<Opened> {
  const directory = openDataDirectory(config.dataDir)
  opened.defer(() => directory.unlock())
  const storage = await openStorage(config, directory.path)
  const postgres = await startBuiltInPostgres(join(directory.path, 'postgres'), {
    mayCreate: () => storage.isEmpty(),
    say,
  })
  opened.defer(() => postgres.stop())
  return { dataDir: directory.path, connection: postgres.connection, storage }
}

async function findRunning(config: Config): Promise<Opened | null> {
  const dataDir = realpathSync(config.dataDir)
  const connection = findBuiltInPostgres(join(dataDir, 'postgres'))
  if (!connection) return null
  const probe = connect({ connection, onError: () => undefined })
  try {
    await checkServerVersion(probe)
  } catch (error) {
    if (isDatabaseGone(error)) return null
    throw error
  } finally {
    await probe.destroy()
  }
  return { dataDir, connection, storage: await openStorage(config, dataDir) }
}

function refuse(error: unknown): never {
  const reason = error instanceof AggregateError ? error.errors.map(String).join(', ') : String(error)
  throw new Error(`The database cannot be used: ${reason.replace(/^Error: /, '')}`, { cause: error })
}
