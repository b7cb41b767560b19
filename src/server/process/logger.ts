import { fastify, type FastifyBaseLogger } from 'fastify'
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
