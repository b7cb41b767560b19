import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressOf, networkOf } from '../server/http/address.ts'
import type { Database } from '../server/database/database.ts'
import { urls } from '../urls.ts'
import { addWaitEntry, WAIT_MINUTES } from './waits.db.ts'

/** At most this many addresses are remembered. More at once are an attack, and its first ones are enough. */
const MOST_REMEMBERED = 1000

/** Logs who was asked to wait (429): once per address in ten minutes, not for each request. */
export function addWaitLog(app: FastifyInstance, db: Database): void {
  const written = new Map<string, number>()

  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode !== 429 || isWritten(request)) return done()
    const userId = request.user?.viewedBy?.id ?? request.user?.id ?? null
    const actor = { userId, address: addressOf(request) }
    void addWaitEntry(db, actor, kindOf(request))
      .catch((err: Error) => request.log.error({ err }, 'a refusal could not be written into the log'))
      .then(() => done())
  })

  function isWritten({ ip }: FastifyRequest): boolean {
    const [network, now] = [networkOf(ip), performance.now()]
    for (const [each, at] of written) {
      if (now < at + WAIT_MINUTES * 60_000) break
      written.delete(each)
    }
    if (written.has(network) || written.size >= MOST_REMEMBERED) return true
    written.set(network, now)
    return false
  }
}

function kindOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === urls.login) return 'sign-in'
  if (url === urls.profilePassword || url === urls.prove) return 'password'
  return url === urls.forgotPassword ? 'link' : 'requests'
}
