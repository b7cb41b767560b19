import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const ID_BYTES = 6
let random = Buffer.alloc(0)
let used = 0

/**
 * Returns 12 random hex digits: `reqId` in the lines of the log, and from status 500 up the *Fejlnummer* on the page. It asks for many
 * random bytes at once, because each time costs more than the bytes.
 */
export function newRequestId(): string {
  if (used + ID_BYTES > random.length) [random, used] = [randomBytes(ID_BYTES * 1000), 0]
  used += ID_BYTES
  return random.toString('hex', used - ID_BYTES, used)
}

/** One line per request, when it has been answered. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.config.quiet ? 'debug' : 'info'
    request.log[level](
      { ...about(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
    done()
  })
}

/** The route and its ids: an address itself can hold a token or a file's name, a query what was looked for. */
function about(request: FastifyRequest) {
  const params = Object.entries((request.params ?? {}) as Record<string, string>)
  const ids = Object.fromEntries(params.filter(([, value]) => /^\d{1,16}$/.test(value)))
  return { method: request.method, route: request.routeOptions.url ?? null, ...ids }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Too frequent or too uninteresting for the log. */
    quiet?: boolean
  }
}
