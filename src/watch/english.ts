import { formatBytes } from '../base/bytes.ts'
import type { Gap } from '../log/chain/protection.ts'
import type { NoticeKind } from '../log/notices/notice.ts'
import type { Trouble } from './attention.ts'
import { countWaiting, type CopyFault, type Facts, type Known } from './facts.ts'

/** Describes a trouble in English for the operator of the server, since commands speak English. */
export function troubleLine(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'copy-failed':
      return `The scheduled copy of ${trouble.at} failed: ${COPY_FAULTS[trouble.reason]}.`
    case 'copy-old':
      return `${newestLine(trouble.newest, trouble.since)} See the log for "backup failed".`
    case 'disk-low':
      return `The disk has ${formatBytes(trouble.free)} of ${formatBytes(trouble.total)} left${trouble.isBelowReserve ? ', and uploads are refused (DISK_RESERVE_BYTES)' : ''}.`
    case 'store-closed':
      return `No file can be written to the disk${trouble.code && ` (${trouble.code})`}: look at DATA_DIR, its owner, and the log of the system.`
    case 'mails-failing':
      return `No mail was sent since ${trouble.since}; ${trouble.count} have failed. See the log, and try the mail server on the page Kontoret.`
    case 'certificate-ending':
      return `The certificate of ${trouble.host} ends at ${trouble.endsAt}. Renew it.`
    case 'bucket-away':
      return `The bucket ${trouble.name} does not answer, or refuses the key.`
    case 'scanner-away':
      return `ClamAV (CLAMD) does not answer; ${trouble.waiting ?? 'unknown'} papers wait, and nothing new is published. Look whether clamd runs.`
    case 'signatures-old':
      return `The signatures of ClamAV are ${dated(trouble.at)}. Look whether freshclam runs.`
    case 'copies-ahead':
      return `The time in the name of these copies has not come: ${trouble.names.join(', ')}. Set the clock right, and rename them to when they were made; until then they are neither counted nor removed.`
    case 'jobs-failing':
      return `These jobs fail: ${trouble.names.join(', ')}. See the log for "job failed".`
    default:
      return PLAIN_LINES[trouble.kind]
  }
}

/** The troubles that say the same each time. */
const PLAIN_LINES: Record<'copies-away' | 'no-copies' | 'no-mail', string> = {
  'copies-away': 'The directory of the copies (BACKUP_DIR) cannot be read.',
  'no-copies': 'No copies are made. Set BACKUP_DIR to a directory on another disk.',
  'no-mail': 'No mails are sent. Set SMTP_URL.',
}

const newestLine = (newest: string | null, since: string) =>
  newest === null
    ? `There is no copy without faults, although copies are to be made since ${since}.`
    : `The newest copy without faults is of ${newest}.`

const dated = (at: string | null) => `of ${at ?? 'an unknown date'}`

const COPY_FAULTS: Record<CopyFault, string> = {
  'second-no-room':
    'it was made, but there is no room for it in the second place (BACKUP_SECOND, BACKUP_KEEP)',
  'second-no-directory':
    'it was made, but the directory of the second place is not there; is its disk mounted (BACKUP_SECOND)?',
  'second-not-allowed': 'it was made, but Ringbind may not write to the second place (BACKUP_SECOND)',
  'second-other': 'it was made, but could not be copied on to BACKUP_SECOND; see the log for "backup failed"',
  'no-room': 'there is no room for it (BACKUP_DIR, BACKUP_KEEP)',
  'no-directory': 'its directory is not there; is its disk mounted (BACKUP_DIR)?',
  'not-allowed': 'Ringbind may not write into its directory (BACKUP_DIR)',
  'files-missing': 'files are missing or damaged; npm run verify names them',
  other: 'see the log for "backup failed"',
}

/** Notices that are not covered by a trouble. */
export const NOTICE_LINES: Partial<Record<NoticeKind, string>> = {
  'untrusted-proxy': 'A proxy stands before Ringbind, which does not trust it. Set TRUST_PROXY.',
  'clock-jumped':
    'The clock of this computer has jumped. Nothing is deleted for good until it is right for a day.',
  'damaged-files': 'Files are damaged or missing. npm run verify names them.',
  'account-guessed': 'Somebody tries passwords of accounts again and again. The start page names them.',
  'mail-failing': 'Some mails were not sent. The users’ pages name them.',
}

/** Says how the role that serves could change the log. */
export const gapLine = (gap: Gap): string => `The log can be changed by the role that serves: ${GAPS[gap]}.`

const GAPS: Record<Gap, string> = {
  superuser: 'it is a superuser',
  roles: 'it may make roles, and so join any (nocreaterole)',
  tables: 'it owns the log, or may update or delete there',
  functions: 'it owns functions that the log calls',
  schema: 'it owns the schema, and may drop the log with it',
  database: 'it owns the database, and may drop the log with it',
}

/** Says in English how the installation is doing, a line each. */
export function factLines(facts: Facts): string[] {
  const { database, disk, files, bucket, copies, certificate, mails, texts, throttled } = facts
  return [
    `version: ${facts.version}`,
    `database: ${known(database, (db) => `PostgreSQL ${db.version}, ${formatBytes(db.bytes)}, ${db.connections} of ${db.mostConnections} connections`)}`,
    `log: ${known(facts.logGaps, (gaps) => (gaps.length === 0 ? 'protected from being changed' : 'not protected from being changed'))}`,
    `disk: ${known(disk, ({ free, total }) => `${formatBytes(free)} of ${formatBytes(total)} left`)}`,
    ...(bucket ? [`bucket: ${bucket.name}, ${bucket.answers ? 'answers' : 'does not answer'}`] : []),
    `files: ${known(files, ({ count, bytes }) => `${count}, ${formatBytes(bytes)}`)}`,
    `copies: ${copies === null ? 'none are made' : known(copies, (all) => `the newest is of ${all.newest ?? 'never'}, ${formatBytes(all.free)} left for more`)}`,
    `mails: ${known(facts.jobs, (jobs) => `${countWaiting(jobs, true)} waiting`)}, ${known(mails, ({ failed }) => `${failed} failed`)}`,
    `jobs: ${known(facts.jobs, (jobs) => `${countWaiting(jobs, false)} waiting, ${jobs.reduce((sum, job) => sum + job.failed, 0)} failed within a day`)}`,
    `texts: ${known(texts, (all) => `${all.waiting} to be read, ${all.scans} with scanned pages to be read`)}`,
    `virus scanner: ${facts.scanner === null ? 'none' : known(facts.scanner.found, ({ version, signaturesAt }) => `${version}, signatures ${dated(signaturesAt)}`)}`,
    `throttled accounts: ${known(throttled, String)}`,
    ...(certificate === null
      ? []
      : [`certificate: ${known(certificate, ({ host, endsAt }) => `${host}, until ${endsAt}`)}`]),
  ]
}

function known<Value>(value: Known<Value>, write: (value: Value) => string): string {
  return value === 'unknown' ? 'unknown' : write(value)
}
