import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { buildApp } from './app.ts'
import type { Parts } from './server/parts.ts'
import type { Config } from './config.ts'
import { readBuild } from './server/process/build.ts'
import { connect } from './server/database/database.ts'
import { startJobs } from './server/jobs.ts'
import { openStorage } from './server/storage/open-storage.ts'
import { PATIENCE, shareOf } from './server/process/patience.ts'
import { PrimaryLine } from './server/process/primary-line.ts'
import { openSecret } from './server/database/secret.db.ts'

/** How a worker reaches the database: it need not be the one that the configuration names. */
const CONNECTION = 'RINGBIND_CONNECTION'

/** What the primary tells its workers beside the configuration. */
export function workerEnv(connection: PoolConfig): Record<string, string> {
  return { [CONNECTION]: JSON.stringify(connection), RINGBIND_BUILD: readBuild() }
}

/**
 * One of several processes that serve: it answers requests, and nothing else. The database, its migrations and the jobs
 * are the primary's (`start.ts`), which also says when to stop.
 */
export async function serveAsWorker(config: Config): Promise<void> {
  // Before anything that takes time. The terminal's signals reach us too, but the primary says when it is our turn.
  const line = new PrimaryLine()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const stop = AbortSignal.any([line.stopped, whenTold()])
  await using started = new AsyncDisposableStack()
  const connection = JSON.parse(process.env[CONNECTION] ?? '{}') as PoolConfig
  const db = connect({ connection, onError: () => undefined }) // whoever asks next meets the error
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
    https: config.appUrl.startsWith('https:'),
    db,
    storage,
    bucket: storage.bucket,
    jobs,
    turns: line,
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

/** By somebody who means this worker alone: it ends in order, and the primary starts another. */
function whenTold(): AbortSignal {
  const told = new AbortController()
  process.on('SIGTERM', () => told.abort())
  return told.signal
}
