import { Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { watchMails } from '../src/accounts/mails/failed-mails.db.ts'
import { sendLinks } from '../src/accounts/links/link-mail.db.ts'
import { buildApp } from '../src/app.ts'
import type { Parts } from '../src/server/parts.ts'
import { readConfig } from '../src/config.ts'
import { startJobs } from '../src/server/work/jobs.ts'
import { findMailPicture } from '../src/office/office.db.ts'
import { deliverMail, openMailer, type Mailer } from '../src/server/mail.ts'
import type { Patience } from '../src/server/process/patience.ts'
import type { Limits } from '../src/server/storage/s3-bucket.ts'
import { openVault } from '../src/server/process/vault.ts'
import { openSecret } from '../src/server/database/secret.db.ts'
import { openStorage } from '../src/server/storage/open-storage.ts'
import type { FileStorage } from '../src/server/storage/storage.ts'
import { startWork } from '../src/work.ts'
import { checkAnswers } from './check-answers.ts'
import { afterwards } from './clean-up.ts'
import { freshDatabase } from './database.ts'
import { freshDirectory } from './directory.ts'

/** How often a test looks for jobs, and one without jobs, if it says nothing else. */
const OFTEN_SECONDS = 2
const SELDOM_SECONDS = 600

export type TestApp = Parts & { app: FastifyInstance; logged: () => string }

type Options = {
  env?: Record<string, string>
  routes?: (app: FastifyInstance) => void
  /** Limits for the bucket. */
  limits?: Partial<Limits>
  /** Replaces the configured storage by one that wraps it. */
  storageOf?: (opened: FileStorage) => FileStorage | Promise<FileStorage>
  patience?: Patience
  /**
   * False if no test of the file waits for a job, 'mails' if they wait for mails alone: all the work of a whole Ringbind costs
   * half a second of processor time at its start and a fortieth of each second later.
   */
  hasJobs?: boolean | 'mails'
  /** How often it looks for jobs, if tests wait for many. */
  jobsEverySeconds?: number
}

/** Starts the whole server with its own database and directory, and keeps its log lines. */
export async function freshApp({
  env = {},
  routes,
  limits,
  storageOf,
  patience,
  hasJobs = true,
  jobsEverySeconds,
}: Options = {}): Promise<TestApp> {
  const config = readConfig({
    DATA_DIR: await freshDirectory(),
    LOG_LEVEL: 'info',
    THUMBNAILS: 'false',
    READ_DOCUMENTS: 'false',
    ...env,
  })
  const { db } = await freshDatabase()
  const opened = await openStorage(config, config.dataDir, limits)
  const storage = (await storageOf?.(opened)) ?? opened
  const jobs = await startJobs({
    db,
    timeZone: config.timeZone,
    onError: console.error,
    everySeconds: jobsEverySeconds ?? (hasJobs ? OFTEN_SECONDS : SELDOM_SECONDS),
  })
  let log = ''
  const logStream = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  const parts: Parts = {
    config,
    secret: await openSecret(db, 'signing'),
    vault: await openVault(config.secretsKey, config.dataDir),
    https: config.appUrl.startsWith('https:'),
    db,
    storage,
    bucket: opened.bucket,
    jobs,
    development: false,
    demo: false,
    logStream,
    ...(patience && { patience }),
  }
  const app = await buildApp(parts)
  // An injected request has no connection that closes, so the deadline of an unread body would outlast the test file.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!(raw.socket instanceof Socket)) raw.destroy()
    done()
  })
  checkAnswers(app)
  const mailer = openMailer({
    smtpUrl: null,
    from: config.mailFrom,
    directory: join(config.dataDir, 'mail'),
    findPicture: (name) => findMailPicture(db, name),
    log: app.log,
  })
  if (hasJobs === true) await startWork(parts, mailer, app.log)
  else if (hasJobs === 'mails') await startMails(parts, mailer)
  else if (jobsEverySeconds === undefined) await startMails(parts, { deliver: () => Promise.resolve() }) // an act may send a mail
  routes?.(app)
  afterwards(async () => {
    await app.close()
    await jobs.stop()
  })
  return { ...parts, app, logged: () => log }
}

/** Sends mails, and does no other work. */
async function startMails({ db, jobs, config }: Parts, mailer: Mailer): Promise<void> {
  await deliverMail(jobs, mailer, watchMails(db))
  await sendLinks(jobs, db, mailer, config.appUrl, watchMails(db))
}
