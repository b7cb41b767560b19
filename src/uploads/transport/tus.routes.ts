import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { conflict, invalid, notFound, Refusal } from '../../server/http/errors.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import { userOf } from '../../server/http/permit.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import { OwnTurns } from '../../server/process/turns.ts'
import { LostBytes } from '../../server/storage/storage.ts'
import { urls } from '../../urls.ts'
import { isUnfit, unfitText } from '../../files/names/file-name.ts'
import { announceTemporaryFile, removeTemporaryFiles, NoRoom, type Most } from './temporary.db.ts'
import { full, nameIn, TEXTS, roomLimitOf, noRoom } from './temporary.routes.ts'
import { ASK_LARGE_FILE, CREATE_LARGE_FILE, DROP_LARGE_FILE, SEND_PIECE } from './transport-calls.server.ts'
import { DifferentPiece } from './incoming-piece.server.ts'
import { Arrivals, RemovedUpload, type Arriving } from './tus.db.ts'

const VERSION = '1.0.0'
const PIECE = 'application/offset+octet-stream'
/** The name that `POST /api/temp/upload` gives to the first file of a call. */
const FIELD = 'files.0'
/** Pieces have their own rate limit, this many times the usual: 256 MB is 128 pieces, and no disk can reach it. */
const PIECES_PER_REQUEST = 20

const HASH = /^[0-9a-f]{32}$/

type Address = { Params: { hash: string } }

const byPrograms = (program: ProgramCall) => ({ config: { right: 'sendFiles' as const, program } })

/**
 * Receives large files in pieces, by tus 1.0.0 with creation, expiration, termination and checksum. An upload's id is its
 * hash_name.
 */
export function addTus(app: FastifyInstance, parts: Parts): void {
  const { config } = parts
  const complain = (about: Record<string, unknown>, message: string) => app.log.error(about, message)
  const arrivals = new Arrivals({ ...parts, isAlone: config.storage === 'disk', complain })
  const turns = parts.turns ?? new OwnTurns()
  const send = { config: { right: 'sendFiles' } } as const
  const sendPieces = {
    config: {
      ...send.config,
      rateLimit: { max: config.requestsPerMinute * PIECES_PER_REQUEST, timeWindow: 60_000 },
    },
  }
  const askPieces = { config: { ...sendPieces.config, program: ASK_LARGE_FILE } }
  const receivePieces = { config: { ...sendPieces.config, program: SEND_PIECE, receivesFiles: true } }

  /** Runs one call at a time for each upload. A new call stops the one before. */
  async function inTurn<Result>(
    request: FastifyRequest<Address>,
    work: (userId: number, hashName: string) => Promise<Result>,
  ): Promise<Result> {
    const { hash } = request.params
    const { id } = userOf(request)
    if (!HASH.test(hash)) throw gone()
    const stop = () => !request.raw.complete && request.raw.destroy()
    return turns.take(`upload ${id} ${hash}`, stop, () => work(id, hash))
  }

  async function withFile<Result>(
    request: FastifyRequest<Address>,
    work: (file: Arriving) => Promise<Result>,
    offset: number | null = null,
  ): Promise<Result> {
    return inTurn(request, async (userId, hashName) => {
      const known = offset === null ? null : arrivals.recall(userId, hashName, offset)
      const file = known ?? (await arrivals.find(userId, hashName))
      if (!file) throw gone()
      return work(file)
    })
  }

  void app.register((scope, _options, done) => {
    // The route reads the body as a stream.
    scope.addContentTypeParser(PIECE, (_request, _payload, parsed) => parsed(null))
    scope.addHook('onRequest', (_request, reply, next) => {
      void reply.headers({ 'tus-resumable': VERSION, 'cache-control': 'no-store' })
      next()
    })

    scope.options(urls.tus, send, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'tus-version': VERSION,
          'tus-extension': 'creation,expiration,termination,checksum',
          'tus-checksum-algorithm': 'sha256',
          'tus-max-size': config.maxFileBytes,
        })
        .send(),
    )

    scope.post(urls.tus, byPrograms(CREATE_LARGE_FILE), async (request, reply) => {
      checkVersion(request, reply)
      const name = readName(request)
      const size = readSize(request, name, config.maxFileBytes)
      const most = roomLimitOf(request, config)
      const announced = await announce(parts, userOf(request).id, { name, size, most })
      const expiresAt = new Date(Date.now() + LIFETIMES.temporaryFileMs)
      return (
        reply
          .code(201)
          .header('upload-expires', expiresAt.toUTCString())
          // No host: a proxy may have another.
          .header('location', urls.temporaryFile(announced.hashName))
          .send()
      )
    })

    scope.head<Address>(urls.temporaryFile(':hash'), askPieces, async (request, reply) => {
      checkVersion(request, reply)
      const file = await withFile(request, async (found) => found)
      const name = Buffer.from(file.name).toString('base64')
      return tell(reply, file)
        .headers({ 'upload-length': file.size, 'upload-metadata': `filename ${name}` })
        .send()
    })

    scope.patch<Address>(urls.temporaryFile(':hash'), receivePieces, async (request, reply) => {
      checkVersion(request, reply)
      if (request.headers['content-type'] !== PIECE) throw new Refusal(415, `En fil sendes som ${PIECE}.`)
      const offset = numberIn(request, 'upload-offset')
      if (offset === null) throw new Refusal(400, 'Upload-Offset mangler.')
      const sha256 = readSum(request)
      const length = Number(request.headers['content-length'] ?? 0)
      const file = await withFile(
        request,
        async (found) => {
          if (offset !== found.offset) throw conflict('Der mangler et stykke før det, der blev sendt.')
          if (length > found.size - offset) throw tooMuch()
          return found.type === null ? receive(arrivals, request, found, sha256) : found
        },
        offset,
      )
      return tell(reply.code(204), file).send()
    })

    scope.delete<Address>(
      urls.temporaryFile(':hash'),
      byPrograms(DROP_LARGE_FILE),
      async (request, reply) => {
        // Deletes a file however it was sent.
        await inTurn(request, async (userId, hashName) => {
          arrivals.forget(userId, hashName)
          if ((await removeTemporaryFiles(parts, userId, [hashName])) === 0) throw gone()
        })
        return reply.code(204).send()
      },
    )
    done()
  })
}

type Announced = { name: string; size: number; most: Most }

/** Reserves room, and refuses a file without room before its first piece is sent. */
async function announce({ db, storage, config }: Parts, userId: number, file: Announced) {
  try {
    if (config.storage === 'disk') await storage.room?.ensure(file.size)
    return await announceTemporaryFile(db, userId, file)
  } catch (error) {
    if (error instanceof NoRoom) throw noRoom(error.of, FIELD, file.name, file.most)
    throw full(error, FIELD, file.name)
  }
}

async function receive(
  arrivals: Arrivals,
  { raw }: FastifyRequest<Address>,
  file: Arriving,
  sha256: string | undefined,
): Promise<Arriving> {
  try {
    return await arrivals.add(file, raw, sha256)
  } catch (error) {
    if (error instanceof TooLarge) throw tooMuch()
    if (error instanceof LostBytes || error instanceof RemovedUpload) throw gone()
    if (error instanceof DifferentPiece)
      throw new Refusal(460, 'Et stykke af filen kom ikke frem, som det blev sendt. Prøv igen.')
    // Any other failure is the server's, even if more of the body was to come.
    if (raw.destroyed && !raw.complete) throw new Refusal(400, 'Filen kom ikke helt frem. Prøv igen.')
    throw full(error, FIELD, file.name)
  }
}

function tell(reply: FastifyReply, { offset, type, expiresAt }: Arriving): FastifyReply {
  return reply.headers({
    'upload-offset': offset,
    'upload-expires': expiresAt.toUTCString(),
    ...(type !== null && { 'x-file-type': type }),
  })
}

function checkVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers['tus-resumable'] === VERSION) return
  void reply.header('tus-version', VERSION)
  throw new Refusal(412, `Her tales tus ${VERSION}.`)
}

const gone = () => notFound('Filen er ikke længere på serveren.')

const tooMuch = () => new Refusal(413, 'Der kom mere, end filen skulle fylde.')

function readName({ headers }: FastifyRequest): string {
  const said = /(?:^|,)\s*filename ([A-Za-z\d+/]+=*)\s*(?:,|$)/.exec(String(headers['upload-metadata'] ?? ''))
  const text = Buffer.from(said?.[1] ?? '', 'base64').toString()
  if (isUnfit(text)) throw invalid({ [FIELD]: [unfitText(text)] })
  return nameIn(text, FIELD)
}

function readSize(request: FastifyRequest, name: string, most: number): number {
  const size = numberIn(request, 'upload-length')
  if (size === null) throw new Refusal(400, 'Upload-Length mangler.')
  if (size === 0) throw invalid({ [FIELD]: [TEXTS.empty(name)] })
  const text = TEXTS.tooLarge(name, most)
  if (size > most) throw new Refusal(413, text, { [FIELD]: [text] })
  return size
}

/** Returns the piece's SHA-256 in hex, if its sender gives it: `Upload-Checksum: sha256 <base64>`. */
function readSum({ headers }: FastifyRequest): string | undefined {
  const text = headers['upload-checksum']
  if (text === undefined) return undefined
  const base64 = /^sha256 ([A-Za-z\d+/]{43}=)$/.exec(String(text))?.[1]
  if (base64 === undefined) throw new Refusal(400, 'Upload-Checksum skal være sha256 og en sum i base64.')
  return Buffer.from(base64, 'base64').toString('hex')
}

function numberIn({ headers }: FastifyRequest, name: string): number | null {
  const text = headers[name]
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}
