import type { Gap } from '../log/chain/protection.ts'
import { isMailJob } from '../jobs.ts'

/** A value that may not be known in time. */
export type Known<Value> = Value | 'unknown'

const PLACE_FAULTS = ['no-room', 'no-directory', 'not-allowed', 'other'] as const
export type PlaceFault = (typeof PLACE_FAULTS)[number]

/** Why the last scheduled copy did not become a good one, or did not come to the second place. */
export const COPY_FAULTS = [
  ...PLACE_FAULTS,
  ...PLACE_FAULTS.map((fault) => `second-${fault}` as const),
  'files-missing',
] as const
export type CopyFault = (typeof COPY_FAULTS)[number]

export type CopyFacts = {
  /** The newest copy without faults that is there. */
  newest: string | null
  /** The copies whose names say a time that has not come. */
  ahead: string[]
  /** When copies were turned on. */
  since: string
  /** The last copy, if it did not become a good one. */
  failed: { at: string; reason: CopyFault } | null
  /** When a copy was last due, not counting the last day: that one may still be under way. */
  wasDue: string | null
  /** How much more the disk of the copies holds. */
  free: number
}

export type JobFacts = {
  name: string
  waiting: number
  /** How many failed within the last day, and whether none has succeeded since. */
  failed: number
  isFailing: boolean
}

/** Counts the mails that wait, or the other jobs. */
export const countWaiting = (jobs: JobFacts[], areMails: boolean) =>
  jobs.filter(({ name }) => isMailJob(name) === areMails).reduce((sum, job) => sum + job.waiting, 0)

/** How the installation is doing. Times are ISO 8601. */
export type Facts = {
  now: string
  version: string
  /** Null for a command, which runs beside Ringbind. */
  startedAt: string | null
  /** The data are thrown away: nobody expects copies or mails. */
  isDemo: boolean
  database: Known<{ version: string; bytes: number; connections: number; mostConnections: number }>
  /** How the role that serves could change the log; none if it cannot. */
  logGaps: Known<Gap[]>
  disk: Known<{ free: number; total: number; isBelowReserve: boolean }>
  /** Why the disk takes no files, as the system's code ('EROFS'); null if it does, or if files go to a bucket. */
  store: Known<{ code: string } | null>
  files: Known<{ count: number; bytes: number }>
  /** Null if all files are on the disk. */
  bucket: { name: string; answers: boolean } | null
  /** `failingSince`: the first mail that failed since a mail was last sent. */
  mails: Known<{ failed: number; failingSince: string | null }>
  hasMailServer: boolean
  jobs: Known<JobFacts[]>
  /** Null if no copies are to be made. */
  copies: Known<CopyFacts> | null
  texts: Known<{ waiting: number; scans: number; failed: number }>
  /** Null if papers are not scanned for viruses. `waiting`: how many papers wait for it. */
  scanner: { found: Known<{ version: string; signaturesAt: string | null }>; waiting: Known<number> } | null
  /** How many people must wait before they may try to sign in again. */
  throttled: Known<number>
  /** Null without https, and for an address that is this computer's own. */
  certificate: Known<{ host: string; endsAt: string }> | null
}
