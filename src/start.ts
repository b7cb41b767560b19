import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { buildApp, type Parts } from './app.ts'
import { bracketed, type Config } from './config.ts'
import { purgeBlobs } from './server/blobs.db.ts'
import { ensureBuild } from './server/build.ts'
import { startBuiltInPostgres } from './server/built-in-postgres.ts'
import { openDataDirectory } from './server/data-directory.ts'
import { connect, isDatabaseGone, type Database } from './server/database.ts'
import { pingDatabase } from './server/health.db.ts'
import { startJobs } from './server/jobs.ts'
import { deliverMail } from './server/mail.ts'
import { migrate } from './server/migrate.ts'
import { openDiskStorage } from './server/storage-disk.ts'

export type Mode = {
  development?: boolean
  demo?: boolean
  /** Puts something into a database that is new. */
  fill?: (parts: Parts) => Promise<void>
  /** Stops a start that is under way. */
  signal?: AbortSignal
  logStream?: NodeJS.WritableStream
}

export type Ringbind = Parts & AsyncDisposable & { url: string; postgresPid: () => number | undefined }

/** Starts everything in order; what was started is stopped again in reverse, also when the start fails. */
export async function startRingbind(config: Config, mode: Mode = {}): Promise<Ringbind> {
  const { development = false, demo = false, signal } = mode
  await using started = new AsyncDisposableStack()
  const say = (message: string) => process.stderr.write(`${message}\n`)

  const directory = openDataDirectory(config.dataDir)
  started.defer(() => directory.unlock())
  if (!development) await ensureBuild(say)
  signal?.throwIfAborted()

  const storage = await openDiskStorage(join(directory.path, 'files'))
  const postgres = config.databaseUrl
    ? null
    : await startBuiltInPostgres(join(directory.path, 'postgres'), {
        mayCreate: await storage.isEmpty(),
        say,
      })
  if (postgres) started.defer(() => postgres.stop())
  signal?.throwIfAborted()

  const connection: pg.PoolConfig = postgres?.connection ?? { connectionString: config.databaseUrl! }
  const db = connect({ connection, onError: () => undefined }) // whoever asks next meets the error
  started.defer(() => db.destroy())
  await waitForDatabase(db, config)
  const isNew = (await migrate(db)).some((name) => name.startsWith('0001_'))
  signal?.throwIfAborted()

  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as Pick<
    Parts,
    'version'
  >
  let onJobError: (error: Error) => void = (error) => say(error.message)
  const jobs = await startJobs({ db, timeZone: config.timeZone, onError: (error) => onJobError(error) })
  started.defer(() => jobs.stop())
  const parts: Parts = {
    config,
    version,
    db,
    storage,
    jobs,
    development,
    demo,
    ...(mode.logStream && { logStream: mode.logStream }),
  }
  const app = await buildApp(parts)
  onJobError = (err) => app.log.error({ err }, 'job failed')
  started.defer(() => app.close())
  await deliverMail(jobs, {
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    directory: join(directory.path, 'mail'),
    log: app.log,
  })
  await jobs.repeat({ name: 'purge-blobs', retryLimit: 0, retrySeconds: 0 }, '17 * * * *', async () => {
    const removed = await purgeBlobs(db, storage)
    if (removed > 0) app.log.info({ removed }, 'removed what broken uploads left behind')
  })
  if (isNew) await mode.fill?.(parts)
  signal?.throwIfAborted()

  await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new Error(`Port ${config.port} is taken: set PORT to another.`)
    throw error
  })
  const { port } = app.server.address() as AddressInfo
  const running = started.move()
  return {
    ...parts,
    url: `http://${bracketed(config.host)}:${port}`,
    postgresPid: () => postgres?.pid(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** A server that starts together with us may need a moment. */
async function waitForDatabase(db: Database, { databaseUrl }: Config): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pingDatabase(db)
    } catch (error) {
      if (isDatabaseGone(error) && attempt < 30) await sleep(500)
      else {
        const where = databaseUrl ? ` in DATABASE_URL` : ''
        throw new Error(`The database${where} cannot be used: ${(error as Error).message || String(error)}`, {
          cause: error,
        })
      }
    }
  }
}

/** Runs Ringbind until it is told to stop; the exit status says how it went. */
export async function run(
  readConfig: () => Config,
  mode: Omit<Mode, 'signal'>,
  greet: (ringbind: Ringbind) => void,
): Promise<void> {
  const stop = new AbortController()
  // Ctrl-C reaches us twice, from the terminal and through npm: both mean the same.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  if (process.env.npm_lifecycle_event) whenOrphaned(() => stop.abort())
  try {
    await using ringbind = await startRingbind(readConfig(), { ...mode, signal: stop.signal })
    greet(ringbind)
    await new Promise((resolve) =>
      stop.signal.aborted ? resolve(null) : stop.signal.addEventListener('abort', resolve),
    )
  } catch (error) {
    if (stop.signal.aborted && (error as Error).name === 'AbortError') return
    process.exitCode = 1
    console.error(process.env.LOG_LEVEL === 'debug' ? error : (error as Error).message)
  }
}

/** npm passes a signal on to its shell, which dies of it and tells nobody. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 200)
  watch.unref()
}
