import type { FastifyBaseLogger } from 'fastify'
import { Clock } from '../../server/database/clock.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { TrustedClock } from '../../server/parts.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { endNotice, raiseNotice } from '../notices/notices.db.ts'

/** After a start, a jump of fewer days raises no notice, because the computer may have been off. */
const DAYS_TO_TELL_OF = 7
const DAY_MS = 86_400_000

type Needs = { db: Database; jobs: Jobs }
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>

/** Returns the clock of this process, checked once. */
export async function openClock(parts: Needs, log: Log): Promise<TrustedClock> {
  const clock = new Clock(parts.db)
  let isRight = await checkClock(parts, clock, log)
  return { isRight: () => isRight, see: async () => (isRight = await checkClock(parts, clock, log)) }
}

/** Returns whether the clock can be trusted for deleting by age. Raises and ends the notice about it. */
export async function checkClock({ db, jobs }: Needs, clock: Clock, log: Log): Promise<boolean> {
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
