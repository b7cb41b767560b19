import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOfStatus } from '../../../base/error-codes.ts'
import { errorWords } from '../../../base/error-words.ts'
import { PROVE_TITLE } from '../../../base/prove.ts'
import { proveTo } from '../../../next-urls.ts'
import { carriedFields } from '../forms/carried-fields.ts'
import { answerOnSocket } from '../connections.ts'
import { isCrossed, isDatabaseGone } from '../../database/database.ts'
import { DiskLow } from '../../storage/disk-room.ts'
import { conflict, notFound, Refusal } from '../errors.ts'
import { plainPage } from '../render.ts'
import { ChangedMeanwhile, DamagedBytes, MissingBytes, StoreAway } from '../../storage/storage.ts'
import { wantsJson } from '../wants-json.ts'

/**
 * Answers requests that cannot be routed, such as `/%zz`. They run no hooks of the app, so this sets the headers itself.
 */
export async function answerUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // An address with bytes that are not UTF-8 matches nothing.
  const { status, message } = error.code === 'FST_ERR_BAD_URL' ? notFound() : refusalOf(error)
  void reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': request.id })
    .header('content-security-policy', `default-src 'none'; frame-ancestors 'none'`)
  if (wantsJson(request)) await reply.send({ message, code: codeOfStatus(status) })
  else await reply.type('text/html; charset=utf-8').send(await plainPage('Siden kunne ikke vises', message))
}

/** Turns everything that is thrown into `{message, code, errors}` or a Danish page. */
export function addErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    answerError(notFound(), request, reply),
  )
}

async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, code, message, errors, retryAfter, isExpired, title, help, asksForProof, more } =
    isBrokenOff(error, request, reply)
      ? new Refusal(400, REFUSED[400]!)
      : refusalOf(error, request.method === 'GET')
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  if (retryAfter) void reply.header('retry-after', retryAfter)
  void reply.code(status).header('cache-control', 'no-store')
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  if (wantsJson(request))
    return reply.send({ message, code: code ?? codeOfStatus(status), ...(errors && { errors }), ...more })
  if (asksForProof && request.method === 'GET') return reply.redirect(proveTo(request.url), 303)
  try {
    if (asksForProof)
      return await reply.page('prove', { to: request.url, fields: carriedFields(request.body) }, PROVE_TITLE)
    return await reply.page(
      'error',
      { status, message, requestId: request.id, isExpired, title, help, hasMenu: !isDatabaseGone(error) },
      title ?? errorWords(status, isExpired).title,
    )
  } catch (fault) {
    request.log.error({ err: fault }, 'the error page failed')
    return reply.type('text/html; charset=utf-8').send(await plainPage('Noget gik galt', message))
  }
}

/** The sender broke off and hears no answer: not the database's fault, nor is work a failure that was ended for it. */
function isBrokenOff(error: unknown, request: FastifyRequest, reply: FastifyReply): boolean {
  if (error === undefined) return false
  if (error === request.raw.errored) return true
  const isEnded = error instanceof Error && error.name === 'AbortError'
  return isEnded && (request.socket.destroyed || reply.raw.closed)
}

// Fastify's own refusals: its words go to the log, ours to the person.
const REFUSED: Record<number, string> = {
  400: 'Forespørgslen kunne ikke forstås.',
  413: 'Det, der blev sendt, er for stort.',
  415: 'Det, der blev sendt, har et format, som Ringbind ikke kender.',
  429: 'Der kom for mange forespørgsler. Vent et øjeblik, og prøv igen.',
}

function refusalOf(error: unknown, onlyReads = false): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseGone(error)) return away('Databasen svarer ikke lige nu.')
  const cause = KNOWN_CAUSES.find(({ codes }) => codesOf(error).some((code) => codes.includes(code)))
  if (cause) {
    const { status, message, reading = message, retryAfter } = cause
    return Object.assign(new Refusal(status, onlyReads ? reading : message), { retryAfter })
  }
  if (isCrossed(error)) return crossed()
  const ofStore = STORE_FAULTS.find(([kind]) => isCausedBy(error, kind))
  if (ofStore) return ofStore[1]()
  const { statusCode = 500 } = error as FastifyError
  // A file that we may not read counts as missing.
  if (statusCode === 404 || statusCode === 403) return notFound()
  if (statusCode >= 400 && statusCode < 500)
    return new Refusal(statusCode, REFUSED[statusCode] ?? REFUSED[400]!)
  return new Refusal(500, 'Noget gik galt.')
}

const READ_ONLY = 'Serveren kan kun læse lige nu, så det kunne ikke gemmes. Giv kontoret besked.'
const FULL = 'Der er ikke mere plads på serveren, så det kunne ikke gemmes. Giv kontoret besked.'

/** Finds the words for faults of the machine, such as a full disk, by the codes of PostgreSQL and the system. */
const KNOWN_CAUSES: {
  codes: string[]
  status: number
  message: string
  /** The message for somebody who saves nothing. */
  reading?: string
  retryAfter?: number
}[] = [
  { codes: ['53100', 'ENOSPC', 'EDQUOT'], status: 507, message: FULL },
  { codes: ['25006', 'EROFS'], status: 503, message: READ_ONLY },
  {
    // The disk fails, or its files belong to another user: stored files are there, and nothing can be added.
    codes: ['EACCES', 'EPERM', 'EIO', '58030'],
    status: 503,
    message: READ_ONLY,
    reading: 'Serveren kan ikke læse sine filer lige nu. Giv kontoret besked.',
  },
  {
    codes: ['57014', '55P03'],
    status: 503,
    message: 'Det tog for lang tid. Intet er ændret. Prøv igen om lidt.',
    retryAfter: 5,
  },
]

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { code = '' } = error as NodeJS.ErrnoException
  return [code, ...codesOf(error.cause)]
}

/** Stored bytes are damaged: the page must not say that they are safe, or that another try helps. */
const lost = (message: string) =>
  Object.assign(new Refusal(500, message), {
    help: 'Det hjælper ikke at prøve igen. En administrator kan få filen hentet fra en sikkerhedskopi.',
  })

const away = (message: string) => Object.assign(new Refusal(503, message), { retryAfter: 5 })

const crossed = () => conflict('En anden ændrede det samme lige nu. Prøv igen.')

type ErrorClass = abstract new (...args: never[]) => Error

/** Finds the words for faults of the store, by their class. */
const STORE_FAULTS: [ErrorClass, () => Refusal][] = [
  [DiskLow, () => new Refusal(507, FULL)],
  [StoreAway, () => away('Fillageret svarer ikke lige nu. Prøv igen om lidt.')],
  [ChangedMeanwhile, crossed],
  [
    MissingBytes,
    () => lost('Filen kan ikke hentes: Den er registreret, men dens indhold mangler på serveren.'),
  ],
  [DamagedBytes, () => lost('Filen kan ikke hentes: Dens indhold er blevet beskadiget på serveren.')],
]

function isCausedBy(error: unknown, kind: ErrorClass): boolean {
  return error instanceof kind || (error instanceof Error && isCausedBy(error.cause, kind))
}

/** Answers bytes that are not HTTP, too large or too slow, for which there is no request object. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  const [status, text] = MALFORMED[error.code ?? ''] ?? ['400 Bad Request', REFUSED[400]!]
  answerOnSocket(socket, status, text)
}

const MALFORMED: Record<string, [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', REFUSED[400]!],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Forespørgslen kom ikke frem i tide. Prøv igen.'],
}
