import {
  address,
  cronLine,
  directory,
  hostName,
  origin,
  proxies,
  standardDataDir,
  timeZone,
  trueOrFalse,
  wholeNumber,
} from './server/process/setting-kinds.ts'

type Entry<T> = {
  variable: string
  /** One sentence for the README's table. */
  says: string
  /** Describes a valid value; ends the error message for a wrong one. */
  takes: string
  /** The default, which is read like a value from the environment; empty for none. */
  byDefault: string
  /** The default as the README shows it, if that is not `byDefault`. */
  shown?: string
  /** Returns undefined for a wrong value. */
  read: (text: string) => T | undefined
}

const entry = <T>(from: Entry<T>) => from

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** All settings, in the order of the README's table. */
export const entries = {
  port: entry({
    variable: 'PORT',
    says: 'The port that Ringbind listens on; 0 takes a free one.',
    takes: 'a whole number from 0 to 65535',
    byDefault: '3000',
    read: wholeNumber(0, 65_535),
  }),
  host: entry({
    variable: 'HOST',
    says: 'The address that Ringbind listens on; `0.0.0.0` opens it to the network.',
    takes: 'an address or a host name',
    byDefault: '127.0.0.1',
    read: hostName,
  }),
  workers: entry({
    variable: 'WORKERS',
    says: 'How many processes answer requests; more than one for a computer with several cores. Each uses up to 10 connections to the database, and so does the main process.',
    takes: 'a whole number from 1 to 64',
    byDefault: '1',
    read: wholeNumber(1, 64),
  }),
  dataDir: entry({
    variable: 'DATA_DIR',
    says: 'Where the files, the built-in database and mails that were not sent are kept.',
    takes: 'a directory',
    byDefault: standardDataDir(),
    shown:
      '`~/.local/share/ringbind`; macOS: `~/Library/Application Support/Ringbind`; root: `/var/lib/ringbind`',
    read: directory,
  }),
  databaseUrl: entry({
    variable: 'DATABASE_URL',
    says: 'A PostgreSQL server (15 or newer, with ICU and pg_trgm) to use instead of the built-in one.',
    takes: 'an address such as postgres://user:password@host:5432/database',
    byDefault: '',
    read: address('postgres:', 'postgresql:'),
  }),
  s3Bucket: entry({
    variable: 'S3_BUCKET',
    says: 'A bucket for the files instead of the disk. Its keys come from the usual variables (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`) or from where Amazon’s own programs find them.',
    takes: 'the name of a bucket',
    byDefault: '',
    read: (text) => (/^[A-Za-z\d][A-Za-z\d._-]{1,61}[A-Za-z\d]$/.test(text) ? text : undefined),
  }),
  s3Endpoint: entry({
    variable: 'S3_ENDPOINT',
    says: 'The address of an S3 server that is not Amazon’s.',
    takes: 'an http or https address without a path',
    byDefault: '',
    read: origin,
  }),
  s3Region: entry({
    variable: 'S3_REGION',
    says: 'The region of the bucket.',
    takes: 'the name of a region such as eu-north-1',
    byDefault: '',
    shown: '`AWS_REGION`; with `S3_ENDPOINT`: `us-east-1`',
    read: (text) => (/^[a-z\d][a-z\d-]*$/i.test(text) ? text : undefined),
  }),
  storage: entry({
    variable: 'STORAGE',
    says: 'Where new files go, `disk` or `s3`; with a bucket both places are read, and `npm run move-storage` moves the rest.',
    takes: 'disk or s3',
    byDefault: '',
    shown: '`s3` with `S3_BUCKET`, else `disk`',
    read: (text) => (['disk', 's3'] as const).find((place) => place === text),
  }),
  directUpload: entry({
    variable: 'DIRECT_UPLOAD',
    says: 'Whether browsers send large files straight to the bucket, which must be open to them.',
    takes: 'true or false',
    byDefault: 'false',
    read: trueOrFalse,
  }),
  directDownload: entry({
    variable: 'DIRECT_DOWNLOAD',
    says: 'Whether browsers are sent to the bucket for a file, by an address that works for a minute.',
    takes: 'true or false',
    byDefault: 'false',
    read: trueOrFalse,
  }),
  thumbnails: entry({
    variable: 'THUMBNAILS',
    says: 'Whether small pictures of documents are made in the background; those of PDFs need `pdftoppm` (poppler-utils).',
    takes: 'true or false',
    byDefault: 'true',
    read: trueOrFalse,
  }),
  appUrl: entry({
    variable: 'APP_URL',
    says: 'The address that people use, for links in mails; with https, cookies are Secure.',
    takes: 'an http or https address without a path',
    byDefault: '',
    shown: '`http://HOST:PORT`',
    read: origin,
  }),
  trustProxy: entry({
    variable: 'TRUST_PROXY',
    says: 'Which proxies in front of Ringbind to believe about the visitor’s address.',
    takes: 'true, false, a number of proxies, or addresses separated by commas',
    byDefault: 'false',
    read: proxies,
  }),
  nginxSendsFiles: entry({
    variable: 'NGINX_SENDS_FILES',
    says: 'Whether nginx, set up as in `docs/nginx.conf` on the same computer, sends the bytes of files that are on the disk.',
    takes: 'true or false',
    byDefault: 'false',
    read: trueOrFalse,
  }),
  releaseRegretMinutes: entry({
    variable: 'RELEASE_REGRET_MINUTES',
    says: 'How many minutes after publishing mails leave about it; until then the whole upload can be undone.',
    takes: 'a whole number of minutes from 0 to 60',
    byDefault: '10',
    read: wholeNumber(0, 60),
  }),
  smtpUrl: entry({
    variable: 'SMTP_URL',
    says: 'The mail server. Without it mails are kept as `.eml` files in `DATA_DIR/mail`.',
    takes: 'an address such as smtps://user:password@mail.example.dk',
    byDefault: '',
    read: address('smtp:', 'smtps:'),
  }),
  mailFrom: entry({
    variable: 'MAIL_FROM',
    says: 'The sender of mails.',
    takes: 'an e-mail address, or a name and an address such as Ringbind <post@example.dk>',
    byDefault: 'Ringbind <ringbind@localhost>',
    read: (text) => (/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text) ? text : undefined),
  }),
  timeZone: entry({
    variable: 'TIME_ZONE',
    says: 'The time zone in which dates are shown.',
    takes: 'a time zone such as Europe/Copenhagen',
    byDefault: 'Europe/Copenhagen',
    read: timeZone,
  }),
  maxFileBytes: entry({
    variable: 'MAX_FILE_BYTES',
    says: 'The largest file that can be uploaded, in bytes.',
    takes: 'a whole number of bytes, at least 1',
    byDefault: '268435456',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  maxFilesPerSubmit: entry({
    variable: 'MAX_FILES_PER_SUBMIT',
    says: 'The most files that one upload form can send.',
    takes: 'a whole number from 1 to 3000',
    byDefault: '2000',
    read: wholeNumber(1, 3000),
  }),
  temporaryBytesPerUser: entry({
    variable: 'TEMPORARY_BYTES_PER_USER',
    says: 'How much one person may have uploaded without having submitted it, in bytes.',
    takes: 'a whole number of bytes, at least 1',
    byDefault: '20000000000',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  investorBytes: entry({
    variable: 'INVESTOR_BYTES',
    says: 'How much the files that an investor has sent may take in all, submitted or not, in bytes.',
    takes: 'a whole number of bytes, at least 1',
    byDefault: '5368709120',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  diskReserveBytes: entry({
    variable: 'DISK_RESERVE_BYTES',
    says: 'How much of the disk of `DATA_DIR` is kept free for the database and the log, in bytes; below it, uploads are refused.',
    takes: 'a whole number of bytes',
    byDefault: '',
    shown: '`1000000000`, or a quarter of a smaller disk',
    read: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  requestsPerMinute: entry({
    variable: 'REQUESTS_PER_MINUTE',
    says: 'How many requests one address may make in a minute before it is asked to wait; each process counts for itself.',
    takes: 'a whole number, at least 1',
    byDefault: '3000',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  sessionIdleHours: entry({
    variable: 'SESSION_IDLE_HOURS',
    says: 'How many hours a person stays signed in without doing anything.',
    takes: 'a whole number of hours from 1 to 8760',
    byDefault: '24',
    read: wholeNumber(1, 8760),
  }),
  sessionMaxDays: entry({
    variable: 'SESSION_MAX_DAYS',
    says: 'How many days a person stays signed in at most.',
    takes: 'a whole number of days from 1 to 365',
    byDefault: '30',
    read: wholeNumber(1, 365),
  }),
  logAddressMonths: entry({
    variable: 'LOG_ADDRESS_MONTHS',
    says: 'How many months the log keeps IP addresses and people’s former names.',
    takes: 'a whole number of months from 1 to 120',
    byDefault: '12',
    read: wholeNumber(1, 120),
  }),
  nightlyCheckBytes: entry({
    variable: 'NIGHTLY_CHECK_BYTES',
    says: 'How many bytes of stored files are read each night, in turn, to find damage; 0 reads none.',
    takes: 'a whole number of bytes from 0 to 1,000,000,000,000',
    byDefault: '2000000000',
    read: wholeNumber(0, 1_000_000_000_000),
  }),
  backupDir: entry({
    variable: 'BACKUP_DIR',
    says: 'A directory for scheduled copies of everything, best on another disk; without it none are made.',
    takes: 'a directory',
    byDefault: '',
    read: directory,
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
  shutdownSeconds: entry({
    variable: 'SHUTDOWN_SECONDS',
    says: 'How long running requests may take to finish when Ringbind is stopped.',
    takes: 'a whole number from 0 to 600',
    byDefault: '10',
    read: wholeNumber(0, 600),
  }),
  logLevel: entry({
    variable: 'LOG_LEVEL',
    says: 'How much is written to the log on standard error.',
    takes: 'fatal, error, warn, info, debug, trace or silent',
    byDefault: 'info',
    read: (text) => LOG_LEVELS.find((level) => level === text),
  }),
}
