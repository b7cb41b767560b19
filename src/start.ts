import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { buildApp } from './app.ts'
import type { Parts } from './server/parts.ts'
import { dayOf } from './base/time/dates.ts'
import { bracketed, type Config } from './config.ts'
import { makeSetupToken } from './accounts/sign-in/setup.db.ts'
import { checkBackupDirectory } from './copies/backup-directory.server.ts'
import { openSecondPlace } from './copies/second-place.server.ts'
import { checkBackupKey } from './copies/encryption.server.ts'
import { ensureBuild } from './server/process/build.ts'
import { startBuiltInPostgres } from './server/database/built-in-postgres.ts'
import { openDataDirectory, refuseRootOnOthers } from './server/process/data-directory.ts'
import { connect, isDatabaseGone, type Database } from './server/database/database.ts'
import { checkServerVersion, isUnused } from './server/database/health.db.ts'
import { settlePlace } from './server/storage/installation.db.ts'
import { startJobs } from './server/work/jobs.ts'
import { openLog } from './server/process/logger.ts'
import { findMailPicture } from './office/office.db.ts'
import { openMailer } from './server/mail.ts'
import { migrate } from './server/database/migrate.ts'
import { findServingRole } from './server/database/serving-role.db.ts'
import { protectLog, setForgetMonths } from './log/chain/protect.db.ts'
import type { Waiting } from './server/database/take-tables.ts'
import { openStorage } from './server/storage/open-storage.ts'
import { loadBuiltPages } from './server/http/page-source.ts'
import { PROJECT } from './server/process/project-directory.ts'
import { countLostApps, lostApps } from './accounts/factor/sealed-apps.db.ts'
import { openVault } from './server/process/vault.ts'
import { openSecret } from './server/database/secret.db.ts'
import { checkStores, rememberStore } from './server/storage/stores.db.ts'
import { whenOrphaned } from './server/process/when-orphaned.ts'
import { Workers } from './server/process/workers.ts'
import { openMetrics } from './watch/metrics.server.ts'
import { urls } from './urls.ts'
import { startWork } from './work.ts'
import { addShipped } from './year/obligations/obligations.db.ts'
import { workerEnv } from './worker.ts'

export type Mode = {
  development?: boolean
  demo?: boolean
  /** How often jobs are looked for, if that need not be soon. */
  jobsEverySeconds?: number
  /** The build is checked already. */
  built?: boolean
  /** Starts the configured number of worker processes for requests, if it is more than one. */
  withWorkers?: boolean
  /** Fills a new database. */
  fill?: (parts: Parts) => Promise<unknown>
  /** Stops a start in progress. */
  signal?: AbortSignal
}

export type Ringbind = Parts &
  AsyncDisposable & {
    url: string
    setupLink: string | null
    /** Answers at `/readyz` that no more requests should come, and continues until proxies have noticed. */
    leave: () => Promise<void>
  }

/** Starts everything in order. Stops it in reverse order at the end, or when the start fails. */
export async function startRingbind(config: Config, mode: Mode = {}): Promise<Ringbind> {
  const { development = false, demo = false, signal } = mode
  const workers = mode.withWorkers && config.workers > 1 ? config.workers : 0
  await using started = new AsyncDisposableStack()
  const say = (message: string) => process.stderr.write(`${message}\n`)

  refuseRootOnOthers(config.dataDir)
  const directory = openDataDirectory(config.dataDir)
  started.defer(() => directory.unlock())
  if (config.backupDir) await checkBackupDirectory(config.backupDir)
  await (await openSecondPlace(config, ''))?.check()
  if (config.backupKey) await checkBackupKey(config.backupKey)
  if (!development && !mode.built) await ensureBuild(say)
  signal?.throwIfAborted()

  if (!development && workers === 0) void loadBuiltPages().catch(() => undefined) // `buildApp` gets the error
  const storage = await openStorage(config, directory.path)
  const postgres = config.databaseUrl
    ? null
    : await startBuiltInPostgres(join(directory.path, 'postgres'), {
        mayCreate: () => storage.isEmpty(),
        connections: 21 + 11 * workers,
        isDurable: !demo,
        say,
      })
  if (postgres) started.defer(() => postgres.stop())
  signal?.throwIfAborted()

  const connection: PoolConfig = postgres?.connection ?? { connectionString: config.databaseUrl! }
  const db = connect({ connection, onError: () => undefined }) // the next query gets the error
  started.defer(() => within(5, db.destroy()))
  await waitForDatabase(db, config, signal)
  if (config.databaseUrl && (await isUnused(db)) && !(await storage.isEmpty()))
    throw new Error(
      'The database in DATABASE_URL is empty, but there are files in the store: restore a copy (npm run restore), or name the right database.',
    )
  const owner =
    postgres?.owner ?? (config.databaseOwnerUrl ? { connectionString: config.databaseOwnerUrl } : null)
  const isNew = await migratePatiently(db, { connection, owner, say, ...(signal && { signal }) })
  await checkStores(db, config)
  await settlePlace(db, { config, dataDir: directory.path, storage })
  await rememberStore(db, config)
  signal?.throwIfAborted()

  let onJobError: (error: Error) => void = (error) => say(error.message)
  const jobs = await startJobs({
    db,
    timeZone: config.timeZone,
    onError: (error) => onJobError(error),
    ...(mode.jobsEverySeconds && { everySeconds: mode.jobsEverySeconds }),
  })
  started.defer(() => within(6, jobs.stop()))
  const secret = await openSecret(db, 'signing')
  const vault = await openVault(config.secretsKey, directory.path)
  const lost = await countLostApps(db, vault)
  if (lost > 0) say(lostApps(lost))
  const https = config.appUrl.startsWith('https:')
  const leaving = new AbortController()
  const parts: Parts = {
    leaving: leaving.signal,
    config,
    secret,
    vault,
    https,
    db,
    storage,
    bucket: storage.bucket,
    jobs,
    development,
    demo,
  }
  const app = workers > 0 ? null : await buildApp(parts)
  const log = app?.log ?? openLog(config.logLevel)
  onJobError = (err) => log.error({ err }, 'job failed')
  if (app) started.defer(() => app.close())
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    directory: join(directory.path, 'mail'),
    findPicture: (name) => findMailPicture(db, name),
    log,
  })
  await addShipped(db, dayOf(new Date(), config.timeZone))
  await startWork(parts, mailer, log)
  if (isNew) await mode.fill?.(parts)
  if (owner) await protect(db, owner, config.logAddressMonths, say)
  signal?.throwIfAborted()

  const setupToken = await makeSetupToken(db)
  const port = app ? await listen(app, config) : await startWorkers(parts, connection, say, started)
  const running = started.move()
  const url = `http://${bracketed(config.host)}:${port}`
  return {
    ...parts,
    setupLink: setupToken && `${config.port === 0 ? url : config.appUrl}${urls.setup}?token=${setupToken}`,
    url,
    leave: async () => {
      leaving.abort()
      await sleep(config.drainSeconds * 1000)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<number> {
  await app
    .listen({ port: config.port, host: config.host })
    .catch((error: Error) => refuseToListen(config, error))
  return (app.server.address() as AddressInfo).port
}

async function startWorkers(
  { config, db, leaving }: Parts,
  connection: PoolConfig,
  say: (message: string) => void,
  started: AsyncDisposableStack,
): Promise<number> {
  const metrics = config.metricsToken === null ? null : await openMetrics(db, 'main')
  const workers = new Workers({
    count: config.workers,
    program: fileURLToPath(new URL('src/server.ts', PROJECT)),
    env: workerEnv(connection),
    say,
    ...(metrics && { tellOwn: metrics.tell }),
  })
  leaving?.addEventListener('abort', () => workers.leave())
  started.defer(() => workers.stop(config.shutdownSeconds))
  return workers.start(config.port, config.host).catch((error: Error) => refuseToListen(config, error))
}

/** Migrates without a time limit, with the owner's connection if there is one. Returns whether the database was new. */
async function migratePatiently(
  serving: Database,
  { connection, owner, ...waiting }: Waiting & { connection: PoolConfig; owner: PoolConfig | null },
): Promise<boolean> {
  const db = connect({ connection: owner ?? connection, onError: () => undefined, patienceMs: 0 })
  try {
    const done = await migrate(db, undefined, {
      serving: owner && (await findServingRole(serving)),
      ...waiting,
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
async function protect(
  serving: Database,
  owner: PoolConfig,
  forgetMonths: number,
  say: (message: string) => void,
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
async function waitForDatabase(
  db: Database,
  { databaseUrl }: Config,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await checkServerVersion(db)
    } catch (error) {
      if (!isDatabaseGone(error) || attempt === 30) {
        const where = databaseUrl ? ' in DATABASE_URL' : ''
        throw new Error(`The database${where} cannot be used: ${reasonOf(error)}`, { cause: error })
      }
    }
    await sleep(500, undefined, signal && { signal })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : (error as Error).message
}

/** Runs Ringbind until told to stop. Sets the exit status. */
export async function run(
  readConfig: () => Config,
  mode: Omit<Mode, 'signal'>,
  greet: (ringbind: Ringbind) => void,
): Promise<void> {
  const stop = new AbortController()
  // Ctrl-C arrives twice, from the terminal and through npm. Both mean the same.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  if (process.env.npm_lifecycle_event) whenOrphaned(() => stop.abort())
  try {
    await using ringbind = await startRingbind(readConfig(), { ...mode, signal: stop.signal })
    greet(ringbind)
    await new Promise((resolve) =>
      stop.signal.aborted ? resolve(null) : stop.signal.addEventListener('abort', resolve),
    )
    await ringbind.leave()
  } catch (error) {
    if (stop.signal.aborted && (error as Error).name === 'AbortError') return
    process.exitCode = 1
    console.error(process.env.LOG_LEVEL === 'debug' ? error : (error as Error).message)
  } finally {
    // Everything is stopped and saved by now. Exits even if something hangs, such as a mail server that does not
    // answer.
    setTimeout(() => process.exit(), LEAVE_MS).unref()
  }
}

const LEAVE_MS = 1000

function refuseToListen({ port, host }: Config, error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRINUSE') throw new Error(`PORT takes a port that is free; ${port} is taken.`)
  if (error.code === 'EACCES')
    throw new Error(`PORT takes a port that we may listen on; ${port} is for root alone.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    throw new Error(`HOST takes an address of this computer; '${host}' is none.`)
  }
  throw error
}

/** Limits the wait, so that a database that no longer answers cannot block the exit. */
async function within(seconds: number, end: Promise<void>): Promise<void> {
  await Promise.race([end, sleep(seconds * 1000, undefined, { ref: false })])
}
