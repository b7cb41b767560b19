import { fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { workerNumber } from './primary-line.ts'

/** Sends logs to standard error, one JSON object per line; standard output is for people. */
export function logOptions(level: string, stream: NodeJS.WritableStream = process.stderr) {
  const worker = workerNumber()
  return {
    level,
    stream,
    base: worker === null ? null : { worker },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err },
  }
}

/** Opens a log for a process that answers no requests. */
export function openLog(level: string): FastifyBaseLogger {
  return fastify({ logger: logOptions(level) }).log
}

/** Logs one line per request when it has been answered. */
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

/**
 * Describes a request by its route and ids only: the address can hold a token or a file's name, the query a search.
 */
function about(request: FastifyRequest) {
  const params = Object.entries((request.params ?? {}) as Record<string, string>)
  const ids = Object.fromEntries(params.filter(([, value]) => /^\d{1,16}$/.test(value)))
  return { method: request.method, route: request.routeOptions.url ?? null, ...ids }
}

type Serialized = { type: string; message: string; stack: string; [more: string]: unknown }

/** Serializes an error without `detail`, `where` and the like, in which PostgreSQL quotes the row. */
function err(error: Error & { code?: string; constraint?: string }): Serialized {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(error.code && { code: error.code }),
    ...(error.constraint && { constraint: error.constraint }),
    ...(error.cause instanceof Error && { cause: err(error.cause) }),
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs these requests at the debug level only: they are too frequent or too dull. */
    quiet?: boolean
  }
}
