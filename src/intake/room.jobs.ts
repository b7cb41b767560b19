import type { Act, Acts, Purges } from '../jobs.ts'
import { endNotice, raiseNotice } from '../log/notices/notices.db.ts'
import { unlessOthers } from '../server/database/alone.db.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { purgeIntakes } from './intake.db.ts'
import { isWorthTelling, mailboxFault, pauseAfter } from './mailbox-faults.ts'
import { WatchedDirectory } from './watch-directory.server.ts'

export const intakeJobs = (parts: Parts, { log }: WorkTools) =>
  ({
    'intake-directory': lookIntoDirectory(parts, log),
    'intake-mailbox': lookIntoMailbox(parts, log),
  }) satisfies Acts

export const intakePurges = ({ db }: Parts) => ({ intakes: () => purgeIntakes(db) }) satisfies Purges

type Log = {
  info: (about: Record<string, unknown>, message: string) => void
  warn: (about: Record<string, unknown>, message: string) => void
}

/** Takes files from scanners and programs. */
function lookIntoDirectory(parts: Parts, log: Log): Act {
  const { intakeDir: directory, maxFileBytes } = parts.config
  if (directory === null) return () => Promise.resolve()
  const watched = new WatchedDirectory(parts, { directory, maxFileBytes })
  return async (stopping) => {
    const taken = await unlessOthers(parts.db, 'intake from a directory', () =>
      watched.look(stopping, (about, message) => log.warn(about, message)),
    )
    if (taken) log.info({ files: taken }, 'files were handed in')
  }
}

/** Takes mails. Pauses after a failure, and tells the office if that is worth it. */
function lookIntoMailbox(parts: Parts, log: Log): Act {
  const { db, config } = parts
  const { imapUrl: mailbox, maxFileBytes } = config
  if (mailbox === null) return () => Promise.resolve()
  let failures = 0
  let next = -Infinity
  return async (stopping) => {
    if (performance.now() < next) return
    const { readMailbox } = await import('./read-mailbox.server.ts') // loaded late: without a mailbox it is not needed
    try {
      const taken = await unlessOthers(db, 'intake from a mailbox', () =>
        readMailbox(parts, { mailbox, maxFileBytes }, stopping),
      )
      failures = 0
      if (taken === null) return
      await endNotice(db, 'mailbox-away')
      if (taken > 0) log.info({ mails: taken }, 'mails were taken')
    } catch (err) {
      if (stopping.aborted || err instanceof DiskLow) return // the office is told of the disk
      const fault = mailboxFault(err)
      failures++
      next = performance.now() + pauseAfter(failures, fault)
      log.warn({ err, fault }, 'the mailbox was not read')
      if (isWorthTelling(failures, fault)) await raiseNotice(db, 'mailbox-away', { reason: fault })
    }
  }
}
