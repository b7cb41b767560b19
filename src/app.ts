import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifyRateLimit from '@fastify/rate-limit'
import { fastify, LogController, type FastifyInstance } from 'fastify'
import { callsPerMinute } from './accounts/tokens/token.ts'
import { formsBoundTo, identifyRequest, countingKey } from './accounts/identify-request.routes.ts'
import { frameOf } from './frame.routes.ts'
import { raiseNotice } from './log/notices/notices.db.ts'
import { addWaitLog } from './log/waits.routes.ts'
import { OfficeSign } from './office/office-sign.server.ts'
import { findOffice } from './office/office.db.ts'
import { isTrusted } from './server/http/address.ts'
import { addGracefulClose } from './server/http/around/graceful-close.ts'
import { addRequestLog, newRequestId } from './server/http/around/request-log.ts'
import { addSecurityHeaders } from './server/http/around/security-headers.ts'
import { addProxyWatch } from './server/http/around/untrusted-proxy.ts'
import { boundConnections } from './server/http/connections.ts'
import { addCsrfProtection } from './server/http/around/csrf.ts'
import { addErrorHandler, answerMalformed, answerUnroutable } from './server/http/around/error-handler.ts'
import { Refusal } from './server/http/errors.ts'
import { addFairShares, refuseEncodedBodies } from './server/http/around/fair-share.ts'
import { addFormBodies, FORM_BYTES } from './server/http/forms/form-body.ts'
import { addPermits } from './server/http/permit.ts'
import { addRenderer } from './server/http/render.ts'
import type { Parts } from './server/parts.ts'
import { logOptions } from './server/process/logger.ts'
import { PATIENCE } from './server/process/patience.ts'
import { keepHeapSmall } from './server/process/small-heap.ts'
import { urls } from './urls.ts'
import { addMetrics } from './watch/metrics.routes.ts'
import { addRooms } from './rooms.routes.ts'

const QUIET = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Builds the whole server, in the order in which a request passes through it. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, development, https, secret } = parts
  const patience = parts.patience ?? PATIENCE
  keepHeapSmall()
  const app = fastify({
    logger: logOptions(config.logLevel, parts.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: config.trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // finishes requests that arrived before the stop
    bodyLimit: FORM_BYTES,
    routerOptions: { maxParamLength: 1000 },
    // How soon headers that never end are noticed after their time is up.
    http: { connectionsCheckingInterval: Math.min(patience.headersMs / 4, 5000) },
    frameworkErrors: (error, request, reply) => void answerUnroutable(error, request, reply),
    clientErrorHandler: answerMalformed,
  })
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  boundConnections(app.server, { patience, isProxy: isTrusted(config.trustProxy) })
  // JSON is personal: browsers and proxies must not store it, unless the route allows it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  addRequestLog(app)
  addWaitLog(app, parts.db)
  addGracefulClose(app, config.shutdownSeconds)
  addSecurityHeaders(app, { https, development, sendsTo: parts.storage.posts?.origin })
  refuseEncodedBodies(app)
  await app.register(fastifyCookie)
  await app.register(fastifyRateLimit, {
    max: ({ token }) => (token ? callsPerMinute(config.requestsPerMinute) : config.requestsPerMinute),
    timeWindow: 60_000,
    keyGenerator: (request) => countingKey(request, parts),
    addHeaders: QUIET,
    addHeadersOnExceeding: QUIET,
    allowList: (request) => request.url.startsWith(urls.assets),
    errorResponseBuilder: () =>
      new Refusal(429, 'Der kom for mange forespørgsler. Vent et øjeblik, og prøv igen.'),
  })
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Compressed in one piece: a stream through other threads costs several times as much.
    syncThreshold: 300_000,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    globalDecompression: false,
  })
  addPermits(app, identifyRequest(parts))
  if (config.trustProxy === false) addProxyWatch(app, () => raiseNotice(parts.db, 'untrusted-proxy', {}))
  addFairShares(app, patience)
  addCsrfProtection(app, {
    secret,
    https,
    appUrl: config.appUrl,
    boundTo: (request) => formsBoundTo(request, https),
  })
  await addFormBodies(app)
  const officeSign = new OfficeSign(() => findOffice(parts.db))
  await addRenderer(app, {
    development,
    frameOf: (request, page) => frameOf(request, page, parts, officeSign),
  })
  addErrorHandler(app)
  await addMetrics(app, parts)

  addRooms(app, parts, officeSign)
  return app
}
