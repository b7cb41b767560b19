import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileOwner, Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'
import { actorOf } from '../../log/actor.routes.ts'
import type { Actor } from '../../log/log.db.ts'
import type { Right } from '../../rights.ts'
import { expiryOf } from '../../accounts/session/session-expiry.ts'
import { ticketOf } from '../../accounts/session/session-cookie.routes.ts'
import { findSessionUser } from '../../accounts/session/sessions.db.ts'
import { notFound } from '../../server/http/errors.ts'
import { findId, idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { DamagedBytes } from '../../server/storage/storage.ts'
import { fileUrls, urls, type Owner } from '../../urls.ts'
import { DOWNLOAD_FILE } from '../calls/file-calls.server.ts'
import { findContent, findReaderAndContent, type Content } from './content.db.ts'
import { findVersionContent } from '../versions/versions.db.ts'
import { dispositionOf, headersOf } from './content.ts'
import { noteDamage } from './damage.db.ts'
import { findNginxPath, headersForNginx } from './nginx-path.routes.ts'
import { findPart, type Sent } from './part.routes.ts'
import { ReadMarks } from './read-marks.db.ts'
import { ReadLog } from './reads.db.ts'

type Params = { project?: string; user?: string; version?: string; '*': string }
type Asked = { Params: Params; Querystring: { show?: unknown } }
type Call = FastifyRequest<Asked>
type Way = 'open' | 'download'

/** Up to this size, a file is read and sent in one piece. */
const SMALL = 256 * 1024

/**
 * Up to this size, a file is compared with its SHA-256 while it is sent, which takes at most 20 ms of CPU time. Larger
 * files are checked at night (`damage.db.ts`): hashing them would cost as much as all the rest of sending them.
 */
const COMPARED = 32 * 1024 * 1024

const OWNERS: { at: Owner; right: Right; findOwner: (params: Params) => FileOwner | null }[] = [
  {
    at: { project: ':project' },
    right: 'seeFiles',
    findOwner: (params) => {
      const project = findId(params.project)
      return project === null ? null : { project }
    },
  },
  {
    at: { user: ':user' },
    right: 'seeUserFiles',
    findOwner: (params) => {
      const user = findId(params.user)
      return user === null ? null : { user }
    },
  },
]

/** A file to send, and which of its versions it is, as the log says it; null for the first one. */
type Found = {
  owner: FileOwner
  file: Content
  version: string | null
  isShown: boolean
  lenderId: number | null
}

type Answer = (
  request: Call,
  reply: FastifyReply,
  way: Way,
  found: Found | undefined,
) => Promise<FastifyReply>

/** Makes the function that sends a file, and logs who read it. */
function answering(app: FastifyInstance, { db, storage, config }: Parts): Answer {
  const complain = (about: Record<string, unknown>, message: string) => app.log.error(about, message)
  const reads = new ReadLog(db, { complain })
  const marks = new ReadMarks(db, { complain })
  app.addHook('onClose', () => reads.close())
  const pathForNginx = findNginxPath({ config, storage })

  async function answer(request: Call, reply: FastifyReply, way: Way, found: Found | undefined) {
    if (!found) throw notFound('Filen findes ikke.')
    const { file } = found
    if (request.socket.destroyed) return reply.hijack() // the client is gone
    const actor = actorOf(request)
    const headers = headersOf(file, way === 'open' ? dispositionOf(file) : 'attachment')
    // Without bytes it does not count as a read: `If-None-Match: *` gets 304 even for a file never fetched.
    const sent = findPart(request, reply, file, headers)
    if (!sent) return reply
    if (request.method === 'HEAD') return reply.headers({ ...headers, ...sent.told }).send()

    const elsewhere = await findSignedAddress({ config, storage }, request, file, headers)
    const path = elsewhere ? null : await pathForNginx(request, file)
    const bytes = elsewhere || path ? null : await read(file, sent)
    await note(request, actor, way, found)
    if (elsewhere) return reply.header('cache-control', 'no-store').redirect(elsewhere, 302)
    if (path)
      return reply
        .code(200)
        .headers(headersForNginx(headers, sent.status, path))
        .send()
    return reply.headers({ ...headers, ...sent.told }).send(bytes)
  }

  /** Logs a read. A download by a program does not mark the file as read by its person. */
  async function note(request: Call, actor: Actor, way: Way, found: Found): Promise<void> {
    const { owner, file, version, isShown, lenderId } = found
    const { id, viewedBy } = userOf(request)
    if (isShown && !viewedBy && !request.token) await marks.mark(id, file)
    reads.add({
      act: way === 'open' ? 'file-opened' : 'file-downloaded',
      actor,
      owner,
      folderId: file.folder_id,
      fileId: file.id,
      version,
      lenderId,
    })
  }

  /** Returns the bytes, or a stream whose first bytes are read: a fault up to then is still answered as an error. */
  async function read(file: Content, { part, length }: Sent): Promise<Buffer | Readable> {
    const sha256 = length === file.size && length <= COMPARED ? file.sha256 : undefined
    try {
      if (length <= SMALL) return sameAs(sha256, await storage.read(file.blob_key, part))
      const stream = await storage.open(file.blob_key, part, sha256)
      stream.once('error', (err) => {
        app.log.error({ err, blob: file.blob_id }, 'stored bytes break off')
        noteDamage(db, file.blob_id, err, complain)
      })
      await once(stream, 'readable')
      return stream
    } catch (error) {
      noteDamage(db, file.blob_id, error, complain)
      throw unreadable(file, error)
    }
  }

  return answer
}

/** Adds the routes that open and download the files of projects and people. */
export function addContent(app: FastifyInstance, parts: Parts): void {
  const { db, config, https } = parts
  const answer = answering(app, parts)
  const expiry = expiryOf(config)
  const asked = new WeakMap<FastifyRequest, Found>()

  /** Finds the person, and keeps the file that the same query found. */
  async function findReader(request: FastifyRequest, owner: FileOwner | null, path: string) {
    const ticket = ticketOf(request, https)
    if (!ticket) return null
    if (!owner) return findSessionUser(db, ticket, expiry)
    const found = await findReaderAndContent(db, ticket, expiry, owner, path)
    if (found?.file) asked.set(request, shown({ ...found, owner, file: found.file }))
    return found?.user ?? null
  }

  for (const { at, right, findOwner } of OWNERS)
    for (const way of ['open', 'download'] as const)
      app.route<Asked>({
        // HEAD is handled here, because Fastify's own HEAD would read the file.
        method: ['GET', 'HEAD'],
        url: fileUrls[way](at, '*'),
        config: {
          right,
          findUser: (request) => {
            const params = request.params as Params
            return findReader(request, findOwner(params), params['*'])
          },
        },
        compress: false,
        handler: (request, reply) => answer(request, reply, way, asked.get(request)),
      })

  // For programs, which know a file by its id.
  app.route<Asked & { Params: { file: string } }>({
    method: ['GET', 'HEAD'],
    url: urls.fileContent(':file'),
    config: { right: 'seeFiles', program: DOWNLOAD_FILE },
    compress: false,
    handler: async (request, reply) => {
      const found = await findContent(db, userOf(request), idIn(request.params.file))
      return answer(request, reply, 'download', found ? shown(found) : undefined)
    },
  })

  for (const { at, findOwner } of OWNERS)
    for (const way of ['open', 'download'] as const)
      app.route<Asked>({
        method: ['GET', 'HEAD'],
        url: fileUrls[`${way}Version`](at, ':version'),
        config: { right: 'seeFileHistory' },
        compress: false,
        handler: async (request, reply) =>
          answer(request, reply, way, await findVersion(db, userOf(request), request.params, findOwner)),
      })
}

/** The version that the file shows, for everybody. */
function shown({ owner, file, lenderId }: Pick<Found, 'owner' | 'file' | 'lenderId'>): Found {
  return { owner, file, lenderId, version: file.version === 1 ? null : String(file.version), isShown: true }
}

/** Returns the address where the bucket itself sends the file, if DIRECT_DOWNLOAD is on. */
async function findSignedAddress(
  { config, storage }: Pick<Parts, 'config' | 'storage'>,
  { headers, query }: Call,
  file: Content,
  told: Record<string, string>,
): Promise<string | null> {
  // A page shows nothing of another origin. The bucket's ETags differ from ours: it would refuse one that we accepted.
  if (!config.directDownload || 'show' in query || headers['if-match'] || headers['if-range']) return null
  try {
    const address = await storage.sign?.(file.blob_key, {
      type: told['content-type']!,
      disposition: told['content-disposition']!,
      cacheControl: told['cache-control']!,
    })
    return address ?? null
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Finds a version that the file does not show. Reading it does not make the file read. */
async function findVersion(
  db: Database,
  reader: Reader,
  params: Params,
  findOwner: (params: Params) => FileOwner | null,
): Promise<Found | undefined> {
  const [owner, id] = [findOwner(params), findId(params.version)]
  const found = owner === null || id === null ? null : await findVersionContent(db, reader, owner, id)
  return found ? { owner: owner!, isShown: false, lenderId: null, ...found } : undefined
}

function sameAs(sha256: string | undefined, bytes: Buffer): Buffer {
  if (sha256 !== undefined && hash('sha256', bytes) !== sha256)
    throw new DamagedBytes('The file has other bytes than it had.')
  return bytes
}

const unreadable = (file: Content, cause: unknown) =>
  new Error(`The bytes of blob ${file.blob_id} cannot be read.`, { cause })
