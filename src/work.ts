import type { FastifyBaseLogger } from 'fastify'
import { purgeGuessedAccounts } from './log/guessed-accounts.db.ts'
import { purgeFailedMails, watchMails } from './accounts/failed-mails.db.ts'
import { purgeAttempts } from './accounts/oidc/attempts.db.ts'
import { stopMailsUrl } from './accounts/profile/stop-mails.routes.ts'
import { purgeLinkTokens } from './accounts/sign-in/link-tokens.db.ts'
import { purgeChallenges } from './accounts/factor/passkeys.db.ts'
import { expiryOf } from './accounts/session-expiry.ts'
import { forgetTokens } from './accounts/tokens/tokens.db.ts'
import { sealOldApps } from './accounts/factor/sealed-apps.db.ts'
import { purgeViews } from './accounts/view/views.db.ts'
import { purgeSessions } from './accounts/sessions.db.ts'
import { purgeFailures } from './accounts/sign-in/sign-in-throttle.db.ts'
import type { Parts } from './server/parts.ts'
import { readByNight, tellOfDamage } from './files/content/damage.db.ts'
import { makeThumbnails, wantThumbnails } from './files/look/thumbnails.db.ts'
import { UNDO_DAYS } from './moving/sheet/import.ts'
import { purgeSheets } from './moving/sheet/sheets.db.ts'
import { purgeTrash } from './files/trash/trash.db.ts'
import { purgeUndos } from './files/undo/record.db.ts'
import { workCrc } from './files/zip/find-crc.db.ts'
import { purgeZipSelections } from './files/zip/zip-selections.db.ts'
import { forgetLostInboxMails } from './inbox/tell-office.db.ts'
import { forgetAddresses, forgetNames } from './log/chain/forget.db.ts'
import { sealEntries, sealStragglers } from './log/chain/seal.db.ts'
import { sendLog } from './log/chain/send-log.db.ts'
import { purgeIntakes } from './intake/intake.db.ts'
import { startIntake } from './intake/start-intake.server.ts'
import { endNotice, endOldNotice, raiseNotice } from './log/notices.db.ts'
import { lookAtDisk } from './log/disk-notice.db.ts'
import { purgeJoinedMails } from './office/joined-mails.db.ts'
import { mailLogHead } from './office/log-mail.db.ts'
import { purgeAskedActs } from './releases/approval/asked-acts.db.ts'
import { publishPlanned } from './releases/publish-planned.db.ts'
import { endLostMails } from './releases/mail/tell-people.db.ts'
import type { MailTools } from './releases/mail/mail-queue.db.ts'
import { endLostRecallMails } from './releases/mail/tell-openers.db.ts'
import { READING_LANES, readTexts } from './reading/read-texts.db.ts'
import { Deliverer } from './programs/hooks/deliver.db.ts'
import { purgeDeliveries } from './programs/hooks/deliveries.db.ts'
import { restWhileReceiving, wantTexts } from './reading/texts.db.ts'
import { startBackups } from './scheduled-backups.ts'
import { startMails } from './start-mails.ts'
import { forgetWords, indexFiles, wantWords } from './search/words/index-files.db.ts'
import { refreshAllCells } from './projects/expected/cells.db.ts'
import { dayOf } from './base/dates.ts'
import { beginReading } from './uploads/held/begin-reading.db.ts'
import { startHeld } from './uploads/held/start-held.server.ts'
import { fillPeriods } from './uploads/names/period.db.ts'
import { purgeBlobs } from './server/storage/blobs.db.ts'
import { Clock } from './server/database/clock.db.ts'
import { findScanner } from './server/reading/read-scan.ts'
import type { Mailer } from './server/mail.ts'
import { checkStores } from './server/storage/stores.db.ts'
import { workDirect } from './uploads/transport/direct.db.ts'
import { learnWords } from './uploads/papers/word-model.db.ts'
import { purgeKeptPiles } from './uploads/kept/kept.db.ts'
import { purgeTemporaryFiles } from './uploads/transport/temporary.db.ts'
import { startWatching } from './watch/start-watching.server.ts'
import { refreshAllDuties, refreshStaleDuties } from './year/obligations/refresh-duties.db.ts'
import { purgeDutyMails, remindOfDuties, tellResponsible } from './year/obligations/tell-responsible.db.ts'

/** Mails leave within a few seconds of their time. */
const ANNOUNCE_EVERY = 2
/** A new file has its thumbnail within some ten seconds. */
const THUMBNAILS_EVERY = 4
/** A new document is read within some ten seconds. */
const READING_EVERY = 4

/** A new file is found by its words within some seconds, and by its name at once. */
const INDEXING_EVERY = 1

/** A new entry is linked to those before it within some seconds. */
const SEALING_EVERY = 1
/** Other programs are told within some seconds. */
const HOOKS_EVERY = 1

/** Starts all background work. */
export async function startWork(parts: Parts, mailer: Mailer, log: FastifyBaseLogger): Promise<void> {
  const { db, jobs, config } = parts
  const clock = new Clock(db)
  // A clock that is ahead must not publish or tell anything early.
  let isClockRight = false
  await jobs.bringBack()
  await beginReading(db, config.readDocuments) // before anything is published
  await jobs.watch(async () => {
    isClockRight = await seeClock(parts, clock, log)
    if (!isClockRight) return
    await publishPlanned(db, jobs).catch((err: unknown) =>
      log.error({ err }, 'a planned release was not published'),
    )
    await Promise.all([endLostMails(db), endLostRecallMails(db), forgetLostInboxMails(db)]).catch(
      (err: unknown) => log.error({ err }, 'lost mails were not found'),
    )
  })
  const mails = {
    db,
    mailer,
    appUrl: config.appUrl,
    stopPath: (userId: number) => stopMailsUrl(parts.secret, userId),
    watch: watchMails(db),
  }
  await startMails(parts, mails, () => isClockRight, log)
  if (config.trustProxy !== false) await endNotice(db, 'untrusted-proxy')
  await workDirect(jobs, parts)
  await workCrc(jobs, parts, () => checkStores(db, config))
  await jobs.repeat({ name: 'house-keeping', retryLimit: 0, retrySeconds: 0 }, '17 * * * *', async () => {
    if (await seeClock(parts, clock, log)) log.info(await keepHouse(parts), 'house-keeping done')
    else log.warn('nothing is deleted, since the clock has jumped')
  })
  await jobs.repeat(
    { name: 'read-by-night', retryLimit: 0, retrySeconds: 0, mostSeconds: 3600 },
    '41 2 * * *',
    async (signal) => {
      await checkStores(db, config) // without the bucket's settings its files would seem missing
      log.info(await readByNight(parts, { mostBytes: config.nightlyCheckBytes, signal }), 'stored files read')
    },
  )
  if (config.thumbnails) await startThumbnails(parts, log)
  if (config.readDocuments) await startReading(parts, log)
  await startHeld(parts, log)
  await jobs.repeat({ name: 'learn-words', retryLimit: 0, retrySeconds: 0 }, '53 * * * *', async (signal) => {
    const papers = await learnWords(db, signal)
    if (papers !== null) log.info({ papers }, 'learnt from the papers of the office where new ones belong')
  })
  await startIntake(parts, log)
  await startDuties(parts, mails, () => isClockRight, log)
  await startIndexing(parts, log)
  await startYears(parts, log)
  await startSealing(parts, log)
  await startBackups(parts, log)
  await startHooks(parts, log)
  await startWatching(parts, mails, () => isClockRight, log)
  await jobs.watch(() =>
    lookAtDisk(parts).catch((err: unknown) => log.warn({ err }, 'the disk was not looked at')),
  )
}

/** Sends webhooks whenever there is something to tell. */
async function startHooks({ db, jobs, config }: Parts, log: FastifyBaseLogger): Promise<void> {
  const sending = { networks: config.hookNetworks ?? [] }
  const deliverer = new Deliverer({ db, jobs, appUrl: config.appUrl, sending })
  await jobs.watch((signal) => {
    const complain = (err: unknown) => {
      if (!signal.aborted) log.warn({ err }, 'webhooks were not sent')
    }
    return deliverer.look(signal, complain).catch(complain)
  }, HOOKS_EVERY)
}

/** Makes thumbnails whenever some are wanted. Nothing waits for it. */
async function startThumbnails(parts: Parts, log: FastifyBaseLogger): Promise<void> {
  let isWanted = false
  let isMaking = false
  const make = async (signal: AbortSignal) => {
    if (!isWanted) await wantThumbnails(parts.db, signal)
    isWanted = true
    await makeThumbnails(parts, { signal, complain: (about, message) => log.warn(about, message) })
  }
  await parts.jobs.watch(async (signal) => {
    if (isMaking) return
    isMaking = true
    void make(signal)
      .catch((err: unknown) => signal.aborted || log.warn({ err }, 'thumbnails were not made'))
      .finally(() => (isMaking = false))
  }, THUMBNAILS_EVERY)
}

/** Reads documents whenever some are waiting. Nothing waits for it. */
async function startReading(parts: Parts, log: FastifyBaseLogger): Promise<void> {
  const { db, config, jobs } = parts
  let isWanted = false
  const reading = new Set<string>()
  const read = async (lane: (typeof READING_LANES)[number], signal: AbortSignal) => {
    if (!isWanted && lane === 'first') {
      await wantTexts(db, signal)
      isWanted = true
    }
    const options = {
      signal,
      complain: (about: Record<string, unknown>, message: string) => log.warn(about, message),
      findScanner: config.readScans ? findScanner : () => Promise.resolve(null),
      rest: () => restWhileReceiving(db, signal),
    }
    await readTexts(parts, options, lane)
  }
  await jobs.watch(async (signal) => {
    for (const lane of READING_LANES) {
      if (reading.has(lane)) continue
      reading.add(lane)
      void read(lane, signal)
        .catch((err: unknown) => signal.aborted || log.warn({ err }, 'documents were not read'))
        .finally(() => reading.delete(lane))
    }
  }, READING_EVERY)
}

/** Writes down the words of files whenever some have changed. Nothing waits for it. */
async function startIndexing({ db, jobs }: Parts, log: FastifyBaseLogger): Promise<void> {
  let isWanted = false
  let isIndexing = false
  const index = async (signal: AbortSignal) => {
    if (!isWanted) await wantWords(db)
    isWanted = true
    await indexFiles(db, signal)
  }
  await jobs.watch(async (signal) => {
    if (isIndexing) return
    isIndexing = true
    void index(signal)
      .catch(
        (err: unknown) => signal.aborted || log.warn({ err }, 'the words of files were not written down'),
      )
      .finally(() => (isIndexing = false))
  }, INDEXING_EVERY)
  await jobs.repeat({ name: 'forget-words', retryLimit: 0, retrySeconds: 0 }, '23 3 * * *', async () =>
    log.info({ words: await forgetWords(db) }, 'words that no file has any more are forgotten'),
  )
}

/** Gives files of earlier versions their periods, and looks each night which papers are expected by then. */
async function startYears({ db, jobs, config }: Parts, log: FastifyBaseLogger): Promise<void> {
  let isBegun = false
  const look = async (signal: AbortSignal) => {
    const filled = await fillPeriods(db, signal)
    await refreshAllCells(db, dayOf(new Date(), config.timeZone), signal)
    if (filled > 0) log.info({ files: filled }, 'files have got their periods')
  }
  await jobs.watch(async (signal) => {
    if (isBegun) return
    isBegun = true
    void look(signal).catch((err: unknown) => {
      isBegun = false
      if (!signal.aborted) log.warn({ err }, 'the expected papers were not looked at')
    })
  })
  await jobs.repeat({ name: 'expected-papers', retryLimit: 3, retrySeconds: 300 }, '7 0 * * *', look)
}

/** Keeps the office's duties as projects and days change, and tells the responsible each morning. */
async function startDuties(
  { db, jobs, config }: Parts,
  mails: MailTools,
  isClockRight: () => boolean,
  log: FastifyBaseLogger,
): Promise<void> {
  const today = () => dayOf(new Date(), config.timeZone)
  await jobs.watch(
    () =>
      refreshStaleDuties(db, config.timeZone).catch((err: unknown) =>
        log.error({ err }, 'the duties of changed projects were not looked at'),
      ),
    ANNOUNCE_EVERY,
  )
  await jobs.repeat({ name: 'refresh-duties', retryLimit: 3, retrySeconds: 60 }, '11 0 * * *', () =>
    refreshAllDuties(db, today()),
  )
  await tellResponsible(jobs, mails)
  await jobs.repeat({ name: 'remind-of-duties', retryLimit: 3, retrySeconds: 60 }, '0 8 * * *', async () => {
    if (isClockRight()) await remindOfDuties(db, jobs, today())
  })
}

/** Links new entries of the log to those before them. Nothing waits for it. */
async function startSealing({ db, jobs, config }: Parts, log: FastifyBaseLogger): Promise<void> {
  let isSealing = false
  await jobs.watch(async (signal) => {
    if (isSealing) return
    isSealing = true
    void sealEntries(db, signal)
      .catch((err: unknown) => signal.aborted || log.warn({ err }, 'the log was not linked'))
      .finally(() => (isSealing = false))
  }, SEALING_EVERY)
  await jobs.repeat({ name: 'seal-log', retryLimit: 0, retrySeconds: 0 }, '33 3 * * *', async (signal) => {
    await sealStragglers(db, signal)
    if (config.logHeadTo) await mailLogHead(db, jobs, config.logHeadTo)
  })
  const { syslogUrl } = config
  if (syslogUrl === null) return
  await jobs.repeat({ name: 'send-log', retryLimit: 0, retrySeconds: 0 }, '* * * * *', (signal) =>
    sendLog(db, syslogUrl, signal),
  )
}

/** After a start, a jump of fewer days raises no notice: the computer may have been off. */
const DAYS_TO_TELL_OF = 7
const DAY_MS = 86_400_000

/** Returns whether the clock can be trusted for deleting by age. Raises and ends the notice about it. */
export async function seeClock(
  { db, jobs }: Pick<Parts, 'db' | 'jobs'>,
  clock: Clock,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<boolean> {
  const { doubt, event, jump, isStart } = await clock.look()
  const days = Math.round(Math.abs(jump) / DAY_MS)
  if (event === 'jumped') {
    log.warn(
      { days },
      isStart
        ? 'the clock is days ahead of when Ringbind last ran: nothing is deleted until it has run for a day'
        : 'the clock has jumped forward: nothing is deleted until it is back, or has stayed so for a day',
    )
    if (!isStart || days >= DAYS_TO_TELL_OF) await raiseNotice(db, 'clock-jumped', { days, isStart })
  } else if (event === 'came-back' || event === 'believed') {
    log.info(event === 'came-back' ? 'the clock is back where it should be' : 'the clock is believed again')
    await endNotice(db, 'clock-jumped')
  }
  if (event === 'went-back' || event === 'came-back') {
    log.warn({ days }, 'the clock went back: what was to be done in the future is brought back')
    await jobs.bringBack()
  }
  return doubt === null
}

/** Deletes everything that has expired. */
export async function keepHouse({
  db,
  storage,
  config,
  vault,
}: Parts): Promise<{ files: number; blobs: number; addresses: number }> {
  await purgeViews(db)
  await purgeSessions(db, expiryOf(config))
  await forgetTokens(db)
  await purgeLinkTokens(db)
  await purgeFailures(db)
  await purgeChallenges(db)
  await sealOldApps(db, vault)
  await purgeGuessedAccounts(db)
  await purgeAttempts(db)
  await purgeFailedMails(db)
  await purgeJoinedMails(db)
  await purgeUndos(db)
  await purgeAskedActs(db)
  await endOldNotice(db, 'untrusted-proxy', 7)
  await forgetNames(db, config.logAddressMonths)
  const addresses = await forgetAddresses(db, config.logAddressMonths)
  const files = await purgeTrash(db)
  await purgeTemporaryFiles(db)
  await purgeIntakes(db)
  await purgeKeptPiles(db)
  await purgeZipSelections(db)
  await purgeDutyMails(db)
  await purgeDeliveries(db)
  await purgeSheets(db, UNDO_DAYS)
  await tellOfDamage(db) // damaged files may be gone by now
  await checkStores(db, config) // without the bucket's settings its files would be forgotten
  return { addresses, files, blobs: await purgeBlobs(db, storage) }
}
