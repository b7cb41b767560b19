import type { Config } from './config.ts'
import type { Job } from './server/work/jobs.ts'

// All work that is done later, in the order in which `work.ts` starts it, and where a failure is seen. The
// `room.jobs.ts` of each room says what its jobs do; `scheduled-backups.ts` what `backup` and `copy-on` do, which tell
// `watch` of their end.

/** Work that the database remembers. */
type Kept = Omit<Job<object>, 'name' | 'data'> & {
  /** Its name on the status page. */
  text: string
  /** Set if the status page and `npm run doctor` report its failures under mails or copies. */
  told?: 'mails' | 'copies'
  /** Whether it is done at all. */
  if?: (config: Config) => boolean
}

const table =
  <Row>() =>
  <Name extends string>(rows: Record<Name, Row>): Readonly<Record<Name, Row>> =>
    rows

/** Some mail servers take more at once for a flood. */
const MAILS_AT_ONCE = 4

const mail = (text: string, retryLimit: number, retrySeconds: number): Kept => ({
  text,
  told: 'mails',
  retryLimit,
  retrySeconds,
  atOnce: MAILS_AT_ONCE,
})

/**
 * Enqueued in the transaction that causes it, and run at least once. A failure is logged as `job failed` and retried
 * after pauses that double from `retrySeconds` to an hour. The status page counts jobs that wait, and those that have failed
 * for good; of a mail, `accounts/mails/failed-mails.db.ts` tells the office, after five tries or when it is refused.
 */
export const QUEUES = table<Kept>()({
  // Tried again for some seven hours.
  'send-mail': mail('Mails', 15, 5),
  'send-link': mail('Mails med link', 15, 5),
  // Tried again for a day.
  'tell-person': mail('Mails om nye filer', 29, 30),
  'tell-opener': mail('Mails om tilbagekaldte filer', 29, 30),
  'tell-colleague': mail('Mails om indbakken', 29, 30),
  'tell-responsible': mail('Mails om frister', 29, 30),
  'ask-colleague': mail('Mails om godkendelse', 15, 5),
  // Tried again for more than a week: the trouble may be that no mails are sent.
  'tell-trouble': { ...mail('Mails om status', 200, 60), atOnce: 1 },
  'read-direct': { text: 'Modtagelse af store filer', retryLimit: 30, retrySeconds: 5, mostSeconds: 3600 },
  'clear-direct': { text: 'Oprydning efter store filer', retryLimit: 30, retrySeconds: 60 },
  'find-crc': {
    text: 'Kontrolsummer til ZIP-filer',
    retryLimit: 5,
    retrySeconds: 30,
    mostSeconds: 12 * 3600,
  },
})

type Repeated = Kept & {
  /** A cron line in the office's time zone, or the setting that holds one. */
  at: string | ((config: Config) => string)
  /** Skipped while the clock cannot be trusted: `judgeClock` in `base/time/clock.ts`. */
  needsClock?: true
}

/** Not retried: the next run comes soon enough. */
const ONCE = { retryLimit: 0, retrySeconds: 0 }

/**
 * Done at its times by one of all instances. A time that was missed is made up for once. A failure is logged as `job failed`;
 * the status page names it until it succeeds.
 */
export const REPEATED = table<Repeated>()({
  'find-old-crcs': { at: '*/10 * * * *', text: 'Kontrolsummer til ældre filer', ...ONCE, mostSeconds: 3600 },
  // Deletes what `PURGES` names; while the clock cannot be trusted, logs that it deletes nothing (`work.ts`).
  'house-keeping': { at: '17 * * * *', text: 'Oprydning', ...ONCE },
  'read-by-night': { at: '41 2 * * *', text: 'Kontrol af filer om natten', ...ONCE, mostSeconds: 3600 },
  'learn-words': { at: '53 * * * *', text: 'Læring af, hvor papirer hører til', ...ONCE },
  'refresh-duties': { at: '11 0 * * *', text: 'Beregning af frister', retryLimit: 3, retrySeconds: 60 },
  'remind-of-duties': {
    at: '0 8 * * *',
    text: 'Påmindelser om frister',
    retryLimit: 3,
    retrySeconds: 60,
    needsClock: true,
  },
  'forget-words': { at: '23 3 * * *', text: 'Oprydning i søgningen', ...ONCE },
  'seal-log': { at: '33 3 * * *', text: 'Loggens kæde', ...ONCE },
  'send-log': {
    at: '* * * * *',
    text: 'Loggen til et andet system',
    ...ONCE,
    if: ({ syslogUrl }) => syslogUrl !== null,
  },
  // Takes hours with many files. Another process takes it over if this one dies.
  backup: {
    at: ({ backupAt }) => backupAt,
    text: 'Sikkerhedskopi',
    told: 'copies',
    retryLimit: 1,
    retrySeconds: 60,
    mostSeconds: 86_000,
    if: ({ backupDir }) => backupDir !== null,
  },
  // Tries the second place again. Costs one query while there is nothing to do.
  'copy-on': {
    at: '7,22,37,52 * * * *',
    text: 'Sikkerhedskopi til det andet sted',
    told: 'copies',
    retryLimit: 0,
    retrySeconds: 60,
    mostSeconds: 86_000,
    if: ({ backupDir, backupSecond }) => backupDir !== null && backupSecond !== null,
  },
})

/** The log message of a failure: an error if people wait for the work, otherwise a warning. */
type Failure = { error: string } | { warning: string }

type Loop = Failure & {
  /** How many turns pass between two looks. A turn is two seconds. Half a minute if none is given. */
  turns?: number
  /** The start waits for the first look, which is quick. */
  isAwaited?: true
  /** Skipped while the clock cannot be trusted: as checked half a minute ago, or as checked now. */
  clock?: 'seen' | 'now'
  if?: (config: Config) => boolean
}

/**
 * Looked for again and again in each process, unless the last look still runs. A failure is only logged, and the next look
 * tries again.
 */
export const LOOPS = table<Loop>()({
  'planned-releases': { error: 'a planned release was not published', clock: 'now', isAwaited: true },
  'lost-mails': { error: 'lost mails were not found', clock: 'seen', isAwaited: true },
  // Mails leave within a few seconds of their time.
  mailings: { turns: 2, error: 'mails to several people were not queued', clock: 'seen', isAwaited: true },
  'release-mails': {
    turns: 2,
    error: 'mails about releases were not queued',
    clock: 'seen',
    isAwaited: true,
  },
  'joined-mails': { turns: 2, error: 'joined mails were not sent', clock: 'seen', isAwaited: true },
  'inbox-mails': { turns: 2, error: 'mails about the inbox were not queued', clock: 'seen', isAwaited: true },
  // A new file has its thumbnail, and is read, within some ten seconds.
  thumbnails: { turns: 4, warning: 'thumbnails were not made', if: ({ thumbnails }) => thumbnails },
  'first-reading': { turns: 4, warning: 'documents were not read', if: readsDocuments },
  'second-reading': { turns: 4, warning: 'documents were not read', if: readsDocuments },
  'reading-of-scans': { turns: 4, warning: 'documents were not read', if: readsDocuments },
  // A paper that is read, and says nothing against its place, is shown within some seconds.
  'held-papers': { turns: 1, error: 'held papers were not looked at' },
  // The office is told too, by the notices `intake-away`, `intake-left` and `mailbox-away`.
  'intake-directory': {
    turns: 2,
    warning: 'files that were handed in were not taken',
    if: ({ intakeDir }) => intakeDir !== null,
  },
  'intake-mailbox': { warning: 'the mailbox was not read', if: ({ imapUrl }) => imapUrl !== null },
  'stale-duties': { turns: 2, error: 'the duties of changed projects were not looked at', isAwaited: true },
  // A receipt that has been read is proposed within some seconds.
  receipts: { turns: 2, warning: 'receipts were not looked for' },
  // A new file is found by its words within some seconds, and by its name at once.
  'words-of-files': { turns: 1, warning: 'the words of files were not written down' },
  // Repeated until it succeeds once: files of earlier versions get their periods.
  'periods-of-files': { warning: 'the periods of files were not read' },
  // A new entry is linked to those before it within some seconds.
  'chain-of-log': { turns: 1, warning: 'the log was not linked' },
  webhooks: { turns: 1, warning: 'webhooks were not sent', isAwaited: true },
  // Every five minutes. Mails administrators about what needs attention. With a clock that is ahead, copies seem old.
  troubles: { turns: 150, warning: 'the installation was not looked after', clock: 'seen' },
  'room-on-disk': { warning: 'the disk was not looked at', isAwaited: true },
})

function readsDocuments({ readDocuments }: Config): boolean {
  return readDocuments
}

/** Expired data that house-keeping deletes, in this order, and how long each is kept. */
export const PURGES = [
  'views', // 30 minutes
  'sessions', // SESSION_IDLE_HOURS and what follows it in settings.ts
  'tokens', // 30 days after their end: accounts/tokens/tokens.db.ts
  'links', // 90 days: accounts/links/link-tokens.db.ts
  'sign-in-failures', // a day
  'challenges', // a day
  'unsealed-apps',
  'guessed-accounts', // a day
  'provider-attempts', // 10 minutes: accounts/oidc/attempts.db.ts
  'failed-mails', // 30 days
  'joined-mails', // 10 minutes: office/joined-mails.db.ts
  'undos', // UNDO_HOURS: files/file/stored-file.ts
  'asked-acts', // 30 days: releases/approval/asked-acts.db.ts
  'proxy-notice',
  // Entries of the log are never deleted, only the addresses and the former names in them: LOG_ADDRESS_MONTHS in settings.ts.
  'log-names',
  'log-addresses',
  'trash', // TRASH_DAYS: files/file/stored-file.ts
  'temporary-files', // a day: base/upload-lifetimes.ts
  'intakes', // REOPEN_DAYS: intake/intake.ts
  'kept-piles', // a day, as their files
  'zip-selections', // a day: files/zip/zip-selections.db.ts
  'duty-mails', // 30 days
  'hook-deliveries', // 30 days: programs/hooks/deliveries.db.ts
  'sheets', // UNDO_DAYS: moving/sheet/import.ts
  'damage', // damaged files may be deleted by now
  'blobs', // last: the bytes of everything deleted above
] as const

type QueueName = keyof typeof QUEUES
type RepeatedName = keyof typeof REPEATED
type LoopName = keyof typeof LOOPS
type PurgeName = (typeof PURGES)[number]

/** Does it once. Ends early, and is taken up again later, when the process stops. */
export type Act = (stopping: AbortSignal) => Promise<unknown>

/** The work of a room. That of a queue starts taking from it. */
export type Acts = Partial<Record<QueueName, () => Promise<void>> & Record<RepeatedName | LoopName, Act>>

/** A room's part of house-keeping. Some return how many rows they deleted. */
export type Purges = Partial<Record<PurgeName, () => Promise<unknown>>>

/** The row of a queue, as pg-boss takes it. */
export const queue = <Data extends object>(name: QueueName): Job<Data> => ({ name, ...QUEUES[name] })

const ROWS: Record<string, Kept> = { ...QUEUES, ...REPEATED }

/** 'house-keeping' becomes 'Oprydning'. */
export const jobText = (name: string) => ROWS[name]?.text ?? name

/** Returns where a job's failures are reported; undefined if under its own name. */
export const toldBy = (name: string) => ROWS[name]?.told

export const isMailJob = (name: string) => toldBy(name) === 'mails'
