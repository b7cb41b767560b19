import type { FastifyInstance } from 'fastify'

const HOUR_MS = 3_600_000

/**
 * Notices a proxy that forwards addresses although no proxy is trusted, so that all visitors share one address. Anybody can
 * send such a header: the log mentions it once, but the office is told (`tell`, once an hour) only about signed-in people's
 * requests.
 */
export function addProxyWatch(app: FastifyInstance, tell: () => Promise<void>): void {
  let isLogged = false
  let reportedAt = -Infinity
  app.addHook('onResponse', (request, _reply, done) => {
    const { 'x-forwarded-for': list, forwarded } = request.headers
    if (!list && !forwarded) return done()
    if (!isLogged) {
      isLogged = true
      const name = list ? 'X-Forwarded-For' : 'Forwarded'
      request.log.warn(
        `a request came with ${name}, but TRUST_PROXY is not set: behind a proxy all visitors share one address`,
      )
    }
    if (!request.user || performance.now() < reportedAt + HOUR_MS) return done()
    reportedAt = performance.now()
    void tell()
      .catch((err: Error) => request.log.error({ err }, 'the office could not be told of the proxy'))
      .then(() => done())
  })
}
