import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from './database/database.ts'
import type { MailTools } from './mail.ts'
import type { Jobs } from './work/jobs.ts'
import type { Patience } from './process/patience.ts'
import type { Survey } from './process/survey.ts'
import type { Turns } from './process/turns.ts'
import type { Vault } from './process/vault.ts'
import type { Bucket } from './storage/s3-bucket.ts'
import type { FileStorage } from './storage/storage.ts'

/** The parts that routes work with. */
export type Parts = {
  config: Config
  db: Database
  storage: FileStorage
  /** Null if all files are on the disk. */
  bucket: Bucket | null
  jobs: Jobs
  /** Shared with the other workers, if there are any. */
  turns?: Turns
  /** Reaches the other processes, if there are any. */
  survey?: Survey
  /** Signs values that we must recognise as ours when they come back. */
  secret: Buffer
  /** Seals what the database must not show. */
  vault: Vault
  https: boolean
  /** Vite serves the pages straight from the sources. */
  development: boolean
  demo: boolean
  /** Aborted when this process is told to stop; it may still answer for some seconds. */
  leaving?: AbortSignal
  /** Other limits, for tests. */
  patience?: Patience
  /** Where the log goes instead of standard error. */
  logStream?: NodeJS.WritableStream
}

/** Tools that background work needs besides the parts. */
export type WorkTools = {
  mails: MailTools
  clock: TrustedClock
  log: FastifyBaseLogger
}

/** Whether the clock can be trusted: one that is ahead must not publish, tell or delete anything early. */
export type TrustedClock = {
  /** The result of the last check. */
  isRight: () => boolean
  see: () => Promise<boolean>
}
