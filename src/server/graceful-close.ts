import type { FastifyInstance } from 'fastify'

/** When the server closes, running requests may finish, but not for ever. */
export function addGracefulClose(app: FastifyInstance, seconds: number): void {
  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', (done) => {
    timers = [
      // A browser keeps its connection open after the last answer; nothing more will come on it.
      setInterval(() => app.server.closeIdleConnections(), 50),
      setTimeout(() => app.server.closeAllConnections(), seconds * 1000),
    ]
    done()
  })
  app.addHook('onClose', (_app, done) => {
    timers.forEach(clearTimeout)
    done()
  })
}
