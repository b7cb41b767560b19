import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { PoolConfig } from 'pg'
import type { Parts } from './server/parts.ts'
import { dayOf } from './base/time/dates.ts'
import { bracketed, type Config } from './config.ts'
import { makeSetupToken } from './accounts/sign-in/setup.db.ts'
import { checkBackupDirectory } from './copies/backup-directory.server.ts'
import { openSecondPlace } from './copies/second-place.server.ts'
import { checkBackupKey } from './copies/encryption.server.ts'
import { ensureBuild } from './server/process/build.ts'
import { openDataDirectory, refuseRootOnOthers } from './server/process/data-directory.ts'
import type { Database } from './server/database/database.ts'
import { startJobs } from './server/work/jobs.ts'
import { openLog } from './server/process/logger.ts'
import { findMailPicture } from './office/office.db.ts'
import { openMailer } from './server/mail.ts'
import { openStorage } from './server/storage/open-storage.ts'
import { loadBuiltPages } from './server/http/page-source.ts'
import { PROJECT } from './server/process/project-directory.ts'
import { countLostApps, lostApps } from './accounts/factor/sealed-apps.db.ts'
import { openVault, type Vault } from './server/process/vault.ts'
import { openSecret } from './server/database/secret.db.ts'
import { whenOrphaned } from './server/process/when-orphaned.ts'
import { Workers } from './server/process/workers.ts'
import { openMetrics } from './watch/metrics.server.ts'
import { urls } from './urls.ts'
import { protect, startDatabase, within } from './start-database.ts'
import { addShipped } from './year/obligations/add-shipped.db.ts'
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

const say = (message: string) => process.stderr.write(`${message}\n`)

/** Starts everything in order. Stops it in reverse order at the end, or when the start fails. */
export async function startRingbind(config: Config, mode: Mode = {}): Promise<Ringbind> {
  const { development = false, demo = false, signal = new AbortController().signal } = mode
  const workers = mode.withWorkers && config.workers > 1 ? config.workers : 0
  await using started = new AsyncDisposableStack()
  const dataDir = await prepareDirectories(config, mode, started)
  signal.throwIfAborted()

  const storage = await openStorage(config, dataDir)
  const starting = startDatabase({ config, dataDir, storage, workers, demo, say, signal, started })
  const rest = loadRest(workers === 0, development)
  const { db, connection, owner, isNew } = await starting
  const [{ startWork }, app] = await rest

  let onJobError: (error: Error) => void = (error) => say(error.message)
  const [jobs, secret, vault] = await Promise.all([
    startJobs({
      db,
      timeZone: config.timeZone,
      onError: (error) => onJobError(error),
      everySeconds: mode.jobsEverySeconds,
    }),
    openSecret(db, 'signing'),
    openOwnVault(db, config, dataDir),
  ])
  started.defer(() => within(6, jobs.stop()))
  const leaving = new AbortController()
  const parts: Parts = {
    leaving: leaving.signal,
    config,
    secret,
    vault,
    https: config.appUrl.startsWith('https:'),
    db,
    storage,
    bucket: storage.bucket,
    jobs,
    development,
    demo,
  }
  const { log, listen } =
    app === null ? inWorkers(parts, connection, started) : await inThisProcess(parts, app, started)
  onJobError = (err) => log.error({ err }, 'job failed')
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    directory: join(dataDir, 'mail'),
    findPicture: (name) => findMailPicture(db, name),
    log,
  })
  await addShipped(db, dayOf(new Date(), config.timeZone))
  await startWork(parts, mailer, log)
  if (isNew) await mode.fill?.(parts)
  if (owner) await protect(db, owner, config.logAddressMonths, say)
  signal.throwIfAborted()

  const setupToken = await makeSetupToken(db)
  const url = `http://${bracketed(config.host)}:${await listen()}`
  const running = started.move()
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

/** Loads the large parts while PostgreSQL starts, in a process of its own. Whoever needs a part gets its error. */
function loadRest(answers: boolean, development: boolean) {
  const rest = Promise.all([import('./work.ts'), answers ? import('./app.ts') : null])
  rest.catch(() => undefined)
  if (answers && !development) void loadBuiltPages().catch(() => undefined)
  return rest
}

/** Locks the data directory, and checks the backups' places and the build. Returns the real path of the first. */
async function prepareDirectories(
  config: Config,
  { development, built }: Mode,
  started: AsyncDisposableStack,
): Promise<string> {
  refuseRootOnOthers(config.dataDir)
  const directory = openDataDirectory(config.dataDir)
  started.defer(() => directory.unlock())
  if (config.backupDir) await checkBackupDirectory(config.backupDir)
  await (await openSecondPlace(config, ''))?.check()
  if (config.backupKey) await checkBackupKey(config.backupKey)
  if (!development && !built) await ensureBuild(say)
  return directory.path
}

async function openOwnVault(db: Database, { secretsKey }: Config, dataDir: string): Promise<Vault> {
  const vault = await openVault(secretsKey, dataDir)
  const lost = await countLostApps(db, vault)
  if (lost > 0) say(lostApps(lost))
  return vault
}

/** Answers requests. `listen` returns the port. */
type Answering = { log: FastifyBaseLogger; listen: () => Promise<number> }

async function inThisProcess(
  parts: Parts,
  { buildApp }: typeof import('./app.ts'),
  started: AsyncDisposableStack,
): Promise<Answering> {
  const app = await buildApp(parts)
  started.defer(() => app.close())
  const { config } = parts
  return {
    log: app.log,
    async listen() {
      await app
        .listen({ port: config.port, host: config.host })
        .catch((error: Error) => refuseToListen(config, error))
      return (app.server.address() as AddressInfo).port
    },
  }
}

function inWorkers(
  { config, db, leaving }: Parts,
  connection: PoolConfig,
  started: AsyncDisposableStack,
): Answering {
  return {
    log: openLog(config.logLevel),
    async listen() {
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
    },
  }
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
