import { endNotice, raiseNotice } from '../log/notices.db.ts'
import { unlessOthers } from '../server/database/alone.db.ts'
import type { Parts } from '../server/parts.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { isWorthTelling, mailboxFault, pauseAfter } from './mailbox-faults.ts'
import { WatchedDirectory } from './watch-directory.server.ts'

/** How often the directory is looked at, in turns of the jobs: every few seconds. */
const DIRECTORY_EVERY = 2

type Log = {
  info: (about: Record<string, unknown>, message: string) => void
  warn: (about: Record<string, unknown>, message: string) => void
}

/** Starts taking what scanners, programs and mails hand in, as far as the settings say. Nothing waits for it. */
export async function startIntake(parts: Parts, log: Log): Promise<void> {
  const { db, jobs, config } = parts
  if (config.intakeDir === null) {
    await endNotice(db, 'intake-away')
    await endNotice(db, 'intake-left')
  } else {
    const { intakeDir: directory, maxFileBytes } = config
    const watched = new WatchedDirectory(parts, { directory, maxFileBytes })
    let isLooking = false
    await jobs.watch(async (signal) => {
      if (isLooking) return
      isLooking = true
      void unlessOthers(db, 'intake from a directory', () =>
        watched.look(signal, (about, message) => log.warn(about, message)),
      )
        .then((taken) => taken && log.info({ files: taken }, 'files were handed in'))
        .catch(
          (err: unknown) => signal.aborted || log.warn({ err }, 'files that were handed in were not taken'),
        )
        .finally(() => (isLooking = false))
    }, DIRECTORY_EVERY)
  }
  const { imapUrl: mailbox, maxFileBytes } = config
  if (mailbox === null) return endNotice(db, 'mailbox-away')
  const { readMailbox } = await import('./read-mailbox.server.ts') // loaded late: without a mailbox it is not needed
  let isReading = false
  let failures = 0
  let next = -Infinity
  const read = async (signal: AbortSignal) => {
    try {
      const taken = await unlessOthers(db, 'intake from a mailbox', () =>
        readMailbox(parts, { mailbox, maxFileBytes }, signal),
      )
      failures = 0
      if (taken === null) return
      await endNotice(db, 'mailbox-away')
      if (taken > 0) log.info({ mails: taken }, 'mails were taken')
    } catch (err) {
      if (signal.aborted || err instanceof DiskLow) return // the office is told of the disk
      const fault = mailboxFault(err)
      failures++
      next = performance.now() + pauseAfter(failures, fault)
      log.warn({ err, fault }, 'the mailbox was not read')
      if (isWorthTelling(failures, fault)) await raiseNotice(db, 'mailbox-away', { reason: fault })
    }
  }
  await jobs.watch(async (signal) => {
    if (isReading || performance.now() < next) return
    isReading = true
    void read(signal)
      .catch((err: unknown) => signal.aborted || log.warn({ err }, 'the mailbox was not read'))
      .finally(() => (isReading = false))
  })
}
