import type { FastifyBaseLogger } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { HeldWatch } from './held-watch.db.ts'

/** A paper that is read, and says nothing against its place, is shown within some seconds. */
const EVERY = 1

/** Shows held papers when they are read, if nothing speaks against it. */
export async function startHeld(parts: Parts, log: FastifyBaseLogger): Promise<void> {
  const held = new HeldWatch(parts, (about, message) => log.warn(about, message))
  let isLooking = false
  let isHeard = false
  await parts.jobs.watch(async (signal) => {
    if (isLooking) return
    isLooking = true
    if (!isHeard) signal.addEventListener('abort', () => held.stop(), { once: true })
    isHeard = true
    void held
      .look(signal)
      .catch((err: unknown) => signal.aborted || log.error({ err }, 'held papers were not looked at'))
      .finally(() => (isLooking = false))
  }, EVERY)
}
