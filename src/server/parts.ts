import type { Config } from '../config.ts'
import type { Database } from './database/database.ts'
import type { Jobs } from './jobs.ts'
import type { Patience } from './process/patience.ts'
import type { Turns } from './process/turns.ts'
import type { Bucket } from './storage/s3-bucket.ts'
import type { FileStorage } from './storage/storage.ts'

/** What routes work with. */
export type Parts = {
  config: Config
  db: Database
  storage: FileStorage
  /** Null when the files are on the disk alone. */
  bucket: Bucket | null
  jobs: Jobs
  /** Shared with the other workers, when there are any. */
  turns?: Turns
  /** Signs what must be ours when it comes back. */
  secret: Buffer
  https: boolean
  /** Pages straight from the sources, by Vite. */
  development: boolean
  demo: boolean
  /** Another than is usual, for tests. */
  patience?: Patience
  /** Where the log goes instead of standard error. */
  logStream?: NodeJS.WritableStream
}
