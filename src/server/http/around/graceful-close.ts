import type { FastifyInstance } from 'fastify'

/** How long a new connection may take to send its first request. */
const MOMENT_MS = 300

/** Lets running requests finish when the server closes, for a limited time. */
export function addGracefulClose(app: FastifyInstance, seconds: number): void {
  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    const closeIdle = app.server.closeIdleConnections.bind(app.server)
    const until = performance.now() + Math.min(MOMENT_MS, seconds * 1000)
    // Node counts a connection without a request as idle, and would cut off a request that is on its way.
    app.server.closeIdleConnections = () => {
      if (performance.now() >= until) closeIdle()
    }
    timers = [
      // A browser keeps its connection open after the last answer, but nothing more comes on it.
      setInterval(() => app.server.closeIdleConnections(), 50),
      setTimeout(() => app.server.closeAllConnections(), seconds * 1000),
    ]
    setImmediate(done) // after the connections that are waiting to be accepted
  })
  app.addHook('onClose', (_app, done) => {
    timers.forEach(clearTimeout)
    done()
  })
}
