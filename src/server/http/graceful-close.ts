import type { FastifyInstance } from 'fastify'

/** Who has just connected is about to ask: it takes them no longer. */
const MOMENT_MS = 300

/** When the server closes, running requests may finish, but not for ever. */
export function addGracefulClose(app: FastifyInstance, seconds: number): void {
  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    const closeIdle = app.server.closeIdleConnections.bind(app.server)
    const until = performance.now() + Math.min(MOMENT_MS, seconds * 1000)
    // Node counts who has not asked yet among the idle, and would hang up on a request that is on its way.
    app.server.closeIdleConnections = () => {
      if (performance.now() >= until) closeIdle()
    }
    timers = [
      // A browser keeps its connection open after the last answer; nothing more will come on it.
      setInterval(() => app.server.closeIdleConnections(), 50),
      setTimeout(() => app.server.closeAllConnections(), seconds * 1000),
    ]
    setImmediate(done) // when those are taken that wait at the door
  })
  app.addHook('onClose', (_app, done) => {
    timers.forEach(clearTimeout)
    done()
  })
}
