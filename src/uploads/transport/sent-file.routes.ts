import type { FastifyInstance } from 'fastify'
import { dispositionOf, headersOf } from '../../files/content/content.ts'
import { findPart } from '../../files/content/part.routes.ts'
import { notFound } from '../../server/http/errors.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { findSentFile } from './sent-file.db.ts'

const HASH_NAME = /^[0-9a-f]{32}$/

/** Up to this size, bytes are compared with their SHA-256 while they are sent. */
const COMPARED = 32 * 1024 * 1024

/** Opens a file of a pile, so that its sender can look at it before it is saved. A type that is not shown is downloaded. */
export function addSentFiles(app: FastifyInstance, { db, storage }: Parts): void {
  app.get<{ Params: { file: string } }>(
    urls.sentFile(':file'),
    { config: { right: 'sendFiles' }, compress: false },
    async (request, reply) => {
      const { file: hashName } = request.params
      const file = HASH_NAME.test(hashName) ? await findSentFile(db, userOf(request).id, hashName) : null
      if (!file) throw notFound('Filen er gemt eller fjernet i mellemtiden.')
      const headers = headersOf(file, dispositionOf(file))
      const sent = findPart(request, reply, file, headers)
      if (!sent) return reply
      void reply.headers({ ...headers, ...sent.told })
      const isCompared = sent.length === file.size && sent.length <= COMPARED
      return reply.send(await storage.open(file.key, sent.part, isCompared ? file.sha256 : undefined))
    },
  )
}
