import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { buildApp } from './app.ts'
import type { Parts } from './server/parts.ts'
import type { Config } from './config.ts'
import { readBuild } from './server/process/build.ts'
import { connect } from './server/database/database.ts'
import { startJobs } from './server/work/jobs.ts'
import { openStorage } from './server/storage/open-storage.ts'
import { PATIENCE, shareOf } from './server/process/patience.ts'
import { PrimaryLine } from './server/process/primary-line.ts'
import { openVault } from './server/process/vault.ts'
import { openSecret } from './server/database/secret.db.ts'
import { startedAtEnv } from './server/process/started-at.ts'

/** Holds the database connection for a worker, which may differ from the configuration's. */
const CONNECTION = 'RINGBIND_CONNECTION'

/** Returns the environment variables that the primary adds for its workers. */
export function workerEnv(connection: PoolConfig): Record<string, string> {
  return { [CONNECTION]: JSON.stringify(connection), RINGBIND_BUILD: readBuild(), ...startedAtEnv() }
}

/**
 * Runs one of several processes that only answer requests. The primary (`start.ts`) runs the database, migrations
 * and jobs, and says when to stop.
 */
export async function serveAsWorker(config: Config): Promise<void> {
  // Comes before anything slow. The terminal's signals arrive here too, but only the primary decides when to stop.
  const line = new PrimaryLine()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const stop = AbortSignal.any([line.stopped, stopSignal()])
  await using started = new AsyncDisposableStack()
  const connection = JSON.parse(process.env[CONNECTION] ?? '{}') as PoolConfig
  const db = connect({ connection, onError: () => undefined }) // the next query gets the error
  started.defer(() => Promise.race([db.destroy(), sleep(5000, undefined, { ref: false })]))
  let onJobError: (error: Error) => void = () => undefined
  const jobs = await startJobs({
    db,
    timeZone: config.timeZone,
    onError: (error) => onJobError(error),
    onlyAsks: true,
  })
  started.defer(() => jobs.stop())
  const storage = await openStorage(config, config.dataDir)
  const parts: Parts = {
    config,
    secret: await openSecret(db, 'signing'),
    vault: await openVault(config.secretsKey, config.dataDir),
    https: config.appUrl.startsWith('https:'),
    db,
    storage,
    bucket: storage.bucket,
    jobs,
    turns: line,
    survey: line,
    leaving: line.leaving,
    patience: shareOf(PATIENCE, config.workers),
    development: false,
    demo: false,
  }
  const app = await buildApp(parts)
  onJobError = (err) => app.log.error({ err }, 'job failed')
  started.defer(() => app.close())
  await line.serve(app)
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve))
}

/** Fires on SIGTERM, which is meant for this worker alone: it stops in order, and the primary starts another. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGTERM', () => controller.abort())
  return controller.signal
}
