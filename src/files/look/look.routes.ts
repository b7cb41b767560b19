import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileOwner } from '../../access/reader.ts'
import { notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { fileUrls } from '../../urls.ts'
import type { FindNotes } from '../file/paper-note.ts'
import { getLook } from './look.db.ts'
import { findThumbnail } from './thumbnails.db.ts'

type Address = { Params: { project: string; user: string; file: string } }

const OWNERS = [
  {
    at: { project: ':project' },
    right: 'seeFiles',
    ownerOf: ({ project }: Address['Params']): FileOwner => ({ project: idIn(project) }),
  },
  {
    at: { user: ':user' },
    right: 'seeUserFiles',
    ownerOf: ({ user }: Address['Params']): FileOwner => ({ user: idIn(user) }),
  },
] as const

/** Adds what the panel beside the file list asks for: the facts about a file, and its thumbnail. */
export function addLook(app: FastifyInstance, { db }: Parts, findNotes: FindNotes): void {
  for (const { at, right, ownerOf } of OWNERS) {
    app.get<Address>(fileUrls.look(at, ':file'), { config: { right } }, (request) =>
      getLook(db, userOf(request), ownerOf(request.params), idIn(request.params.file), findNotes),
    )

    // Does not count as reading the file: it shows a page that nobody can read.
    app.get<Address>(
      fileUrls.thumbnail(at, ':file'),
      { config: { right }, compress: false },
      async (request, reply) => {
        const { params } = request
        const found = await findThumbnail(db, userOf(request), ownerOf(params), idIn(params.file))
        if (!found) throw notFound()
        return sendThumbnail(request, reply, found)
      },
    )
  }
}

function sendThumbnail(
  { headers }: FastifyRequest<Address>,
  reply: FastifyReply,
  { webp, sha256 }: { webp: Buffer; sha256: string },
): FastifyReply {
  const etag = `"small-${sha256}"`
  void reply.headers({
    'content-type': 'image/webp',
    'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    // The browser asks each time, so that a right that is taken away ends at once.
    'cache-control': 'private, no-cache',
    etag,
  })
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(webp)
}
