import { randomBytes } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import { fastify, LogController, type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './server/database.ts'
import { addErrorHandler, answerError } from './server/error-handler.ts'
import { Refusal } from './server/errors.ts'
import { addGracefulClose } from './server/graceful-close.ts'
import { addHealth } from './server/health.ts'
import type { Jobs } from './server/jobs.ts'
import { addRequestLog, logOptions } from './server/log.ts'
import { addRenderer } from './server/render.ts'
import { addSecurityHeaders } from './server/security-headers.ts'
import type { Storage } from './server/storage.ts'
import { urls } from './urls.ts'
import { addWelcome } from './welcome/welcome.routes.ts'

/** What routes work with. */
export type Parts = {
  config: Config
  version: string
  db: Database
  storage: Storage
  jobs: Jobs
  /** Pages straight from the sources, by Vite. */
  development: boolean
  demo: boolean
  /** Where the log goes instead of standard error. */
  logStream?: NodeJS.WritableStream
}

/** The whole server, in the order in which a request meets it. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, development, demo } = parts
  const app = fastify({
    logger: logOptions(config.logLevel, parts.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(6).toString('hex'),
    trustProxy: config.trustProxy,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  addRequestLog(app)
  addGracefulClose(app, config.shutdownSeconds)
  await addSecurityHeaders(app, { https: config.appUrl.startsWith('https:'), development })
  await app.register(fastifyRateLimit, {
    max: config.requestsPerMinute,
    timeWindow: 60_000,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    allowList: (request) => request.url.startsWith(urls.assets),
    errorResponseBuilder: () =>
      new Refusal(429, 'Der kom for mange forespørgsler. Vent et øjeblik, og prøv igen.'),
  })
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(fastifyCookie)
  await addRenderer(app, { frame: { demo, timeZone: config.timeZone }, development })
  addErrorHandler(app)

  addHealth(app, parts)
  addWelcome(app, parts)
  return app
}
