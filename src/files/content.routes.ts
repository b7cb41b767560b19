import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileOwner } from '../access/reader.ts'
import type { Parts } from '../app.ts'
import { actorOf } from '../log/actor.routes.ts'
import type { Right } from '../rights.ts'
import { idIn } from '../server/ids.ts'
import { userOf } from '../server/permit.ts'
import type { Range } from '../server/storage.ts'
import { fileUrls, type Owner } from '../urls.ts'
import { getContent, type Content } from './content.db.ts'
import { answerTo, dispositionOf, headersOf } from './content.ts'
import { ReadMarks } from './read-marks.db.ts'
import { ReadLog } from './reads.db.ts'

type Params = { project?: string; user?: string; '*': string }
type Call = FastifyRequest<{ Params: Params }>
type Way = 'open' | 'download'

/** As much is read and sent in one piece. */
const SMALL = 256 * 1024

const OWNERS: { at: Owner; right: Right; ownerOf: (params: Params) => FileOwner }[] = [
  { at: { project: ':project' }, right: 'seeFiles', ownerOf: ({ project }) => ({ project: idIn(project) }) },
  { at: { user: ':user' }, right: 'seeUserFiles', ownerOf: ({ user }) => ({ user: idIn(user) }) },
]

/** Opening and downloading the files of a project and of a person. */
export function addContent(app: FastifyInstance, { db, storage, config }: Parts): void {
  const complain = (about: Record<string, unknown>, message: string) => app.log.error(about, message)
  const reads = new ReadLog(db, { complain })
  const marks = new ReadMarks(db, { complain })
  app.addHook('onClose', () => reads.close())

  async function answer(request: Call, reply: FastifyReply, owner: FileOwner, way: Way) {
    const file = await getContent(db, userOf(request), owner, request.params['*'])
    if (request.socket.destroyed) return reply.hijack() // whoever asked has gone
    const actor = actorOf(request)
    const wanted = answerTo(request.method, request.headers, file)
    const headers = headersOf(file, way === 'open' ? dispositionOf(file) : 'attachment')
    void reply.code(wanted.status)
    // Nothing is sent, so nothing is read: `If-None-Match: *` answers so for a file that was never fetched.
    if (wanted.status === 304) return reply.headers(headers).send()
    if (wanted.status === 412) return reply.send()
    if (wanted.status === 416) return reply.header('content-range', `bytes */${file.size}`).send()

    const part = wanted.status === 206 ? wanted.part : { first: 0, last: file.size - 1 }
    const length = part.last - part.first + 1
    const isHead = request.method === 'HEAD'
    const elsewhere = isHead ? null : await signedAddress(request, file, headers)
    const bytes = isHead || elsewhere ? undefined : await read(file, part, length)
    if (!isHead) await marks.mark(userOf(request).id, file.id)
    if (!isHead)
      reads.add({
        act: way === 'open' ? 'file-opened' : 'file-downloaded',
        actor,
        owner,
        folderId: file.folder_id,
        fileId: file.id,
      })
    if (elsewhere) return reply.header('cache-control', 'no-store').redirect(elsewhere, 302)
    void reply.headers(headers).header('content-length', length)
    if (wanted.status === 206)
      void reply.header('content-range', `bytes ${part.first}-${part.last}/${file.size}`)
    return reply.send(bytes)
  }

  /** Where the bucket itself gives the file, with DIRECT_DOWNLOAD. */
  async function signedAddress({ headers }: Call, file: Content, told: Record<string, string>) {
    // The bucket has other tags than ours, and would refuse what we have just found right.
    if (!config.directDownload || headers['if-match'] || headers['if-range']) return null
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

  /** The bytes, or a stream of which the first are there: what is wrong until then can still be answered. */
  async function read(file: Content, part: Range, length: number): Promise<Buffer | Readable> {
    try {
      if (length <= SMALL) return await storage.read(file.blob_key, part)
      const stream = await storage.open(file.blob_key, part)
      stream.once('error', (err) => app.log.error({ err, blob: file.blob_id }, 'stored bytes break off'))
      await once(stream, 'readable')
      return stream
    } catch (error) {
      throw unreadable(file, error)
    }
  }

  for (const { at, right, ownerOf } of OWNERS)
    for (const way of ['open', 'download'] as const)
      app.route<{ Params: Params }>({
        // With HEAD among them: Fastify's own would read the file.
        method: ['GET', 'HEAD'],
        url: fileUrls[way](at, '*'),
        config: { right },
        compress: false,
        handler: (request, reply) => answer(request, reply, ownerOf(request.params), way),
      })
}

const unreadable = (file: Content, cause: unknown) =>
  new Error(`The bytes of blob ${file.blob_id} cannot be read.`, { cause })
