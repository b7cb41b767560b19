import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { cleanFault } from '../../base/fault.ts'
import { urls } from '../../urls.ts'
import { tooMany } from './errors.ts'
import { validate } from './validate.ts'

const MINUTE_MS = 60_000
const EACH_PER_MINUTE = 10
const ALL_PER_MINUTE = 60
const MOST_BYTES = 8_192

const text = (most: number) => z.string('Feltet skal være en tekst.').max(most, 'Teksten er for lang.')
const FaultForm = z.object({ message: text(1_000), stack: text(6_000), page: text(500), build: text(100) })

/** Logs what broke in a browser. Anybody may tell of it, since the sign-in page can break too. */
export function addFaults(app: FastifyInstance): void {
  let minute = { start: -Infinity, count: 0 }

  const config = { right: 'visit', rateLimit: { max: EACH_PER_MINUTE, timeWindow: MINUTE_MS } } as const
  app.post(urls.fault, { config, bodyLimit: MOST_BYTES }, (request, reply) => {
    const fault = cleanFault(validate(FaultForm, request.body))
    const now = performance.now()
    if (now - minute.start >= MINUTE_MS) minute = { start: now, count: 0 }
    // Many browsers at a time break for one reason, and the log must not fill the disk with it.
    if (++minute.count > ALL_PER_MINUTE) throw tooMany(60, 'Der er meldt for mange fejl. Vent et øjeblik.')
    request.log.error({ fault }, 'a page broke in the browser')
    return reply.code(204).send()
  })
}
