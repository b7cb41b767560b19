import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { urls } from '../urls.ts'
import { isDatabaseGone } from './database.ts'
import { notFound, Refusal } from './errors.ts'
import { plainPage } from './render.ts'

/** One way out for everything that is thrown: `{message, errors}` or a Danish page. */
export function addErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    answerError(notFound(), request, reply),
  )
}

export async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, message, errors } = refusalOf(error)
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  if (status === 503) void reply.header('retry-after', '5')
  void reply.code(status).header('cache-control', 'no-store')
  if (wantsJson(request)) return reply.send({ message, ...(errors && { errors }) })
  try {
    return await reply.page(
      'error',
      { status, message, requestId: request.id, home: urls.start },
      TITLES[status] ?? 'Fejl',
    )
  } catch (fault) {
    request.log.error({ err: fault }, 'the error page failed')
    return reply.type('text/html; charset=utf-8').send(await plainPage(message))
  }
}

const TITLES: Record<number, string> = {
  403: 'Ingen adgang',
  404: 'Siden findes ikke',
  429: 'Vent et øjeblik',
  500: 'Noget gik galt',
  503: 'Ikke klar lige nu',
}

// What Fastify itself refuses, in its words for the reader of the log, in ours for the person.
const REFUSED: Record<number, string> = {
  400: 'Forespørgslen kunne ikke forstås.',
  413: 'Det, der blev sendt, er for stort.',
  415: 'Det, der blev sendt, har et format, som Ringbind ikke kender.',
  429: 'Der kom for mange forespørgsler. Vent et øjeblik, og prøv igen.',
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseGone(error)) return new Refusal(503, 'Databasen svarer ikke lige nu.')
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 404) return notFound()
  if (statusCode >= 400 && statusCode < 500)
    return new Refusal(statusCode, REFUSED[statusCode] ?? REFUSED[400]!)
  return new Refusal(500, 'Noget gik galt.')
}

/** The address of a page always answers a page; calls and scripted forms get JSON. */
function wantsJson({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith(urls.api)) return true
  if (method === 'GET' || method === 'HEAD') return false
  return (
    headers['x-requested-with'] === 'XMLHttpRequest' || (headers.accept ?? '').includes('application/json')
  )
}
