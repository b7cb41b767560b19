import type { MailTools } from '../releases/mail/mail-queue.db.ts'
import type { Parts } from '../server/parts.ts'
import { FactFinder } from './facts.db.ts'
import { instanceOf, mailTroubles, tellOfTroubles } from './tell-troubles.db.ts'

/** Every five minutes, as jobs are looked for every two seconds. */
const EVERY_TIMES = 150

/** Looks after the installation, and mails administrators about what needs attention. Nothing waits for it. */
export async function startWatching(
  parts: Parts,
  mails: MailTools,
  isClockRight: () => boolean,
  log: { warn: (about: object, message: string) => void },
): Promise<void> {
  const { db, jobs, config } = parts
  await mailTroubles(jobs, { ...mails, timeZone: config.timeZone })
  let isStopping = () => false
  const finder = new FactFinder({
    ...parts,
    startedAt: null,
    isDemo: parts.demo,
    complain: (about) => isStopping() || log.warn(about, 'a fact was not found out'),
  })
  let isLooking = false
  await jobs.watch(async (signal) => {
    isStopping = () => signal.aborted
    if (isLooking || !isClockRight()) return // with a clock that is ahead, copies seem old
    isLooking = true
    void finder
      .find()
      .then((facts) => tellOfTroubles(db, jobs, instanceOf(config.dataDir), facts))
      .catch((err: unknown) => signal.aborted || log.warn({ err }, 'the installation was not looked after'))
      .finally(() => (isLooking = false))
  }, EVERY_TIMES)
}
