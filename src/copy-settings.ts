import { cronLine, directory, directoryOrBucket, entry, wholeNumber } from './server/process/setting-kinds.ts'

/** The settings of scheduled copies, a part of all settings. */
export const copyEntries = {
  backupDir: entry({
    variable: 'BACKUP_DIR',
    says: 'A directory for scheduled copies of everything, best on another disk: one that would fill the disk of the data is refused. Without it none are made.',
    takes: 'a directory',
    byDefault: '',
    read: directory,
  }),
  backupKey: entry({
    variable: 'BACKUP_KEY',
    says: 'Encrypts copies in the format of age. With a secret key Ringbind can open them too; with a public one only whoever has the secret key.',
    takes: 'a key of age: AGE-SECRET-KEY-1… or age1…',
    byDefault: '',
    isSecret: true,
    read: (text) =>
      /^(AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}|age1[02-9ac-hj-np-z]{58})$/.test(text) ? text : undefined,
  }),
  backupSecond: entry({
    variable: 'BACKUP_SECOND',
    says: 'A second place that each scheduled copy is copied on to: a directory, or a bucket such as `s3://bucket/copies` at `S3_ENDPOINT`.',
    takes: 'a directory, or an address such as s3://bucket/copies',
    byDefault: '',
    read: directoryOrBucket,
  }),
  backupAt: entry({
    variable: 'BACKUP_AT',
    says: 'When the scheduled copy is made, in `TIME_ZONE`: a time of the day, or a cron line.',
    takes: 'a time such as 03:00, or the five fields of a cron line such as 0 3 * * 1-5',
    byDefault: '03:00',
    read: cronLine,
  }),
  backupKeep: entry({
    variable: 'BACKUP_KEEP',
    says: 'How many scheduled copies are kept; the newest without faults is always one of them.',
    takes: 'a whole number from 1 to 10000',
    byDefault: '14',
    read: wholeNumber(1, 10_000),
  }),
}
