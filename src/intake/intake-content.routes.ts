import type { FastifyInstance } from 'fastify'
import { answerTo, dispositionOf, headersOf } from '../files/content/content.ts'
import { actorOf } from '../log/actor.routes.ts'
import { addLoneLogEntry } from '../log/log.db.ts'
import { notFound } from '../server/http/errors.ts'
import { idIn } from '../server/http/ids.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { findIntakeContent } from './intake-content.db.ts'

type Address = { Params: { item: string; file: string } }

/** Up to this size, bytes are compared with their SHA-256 while they are sent. */
const COMPARED = 32 * 1024 * 1024

/** Shows the office a file that waits in the inbox, so that it can be seen what it is before it is sorted. */
export function addIntakeContent(app: FastifyInstance, { db, storage }: Parts): void {
  app.get<Address>(
    urls.intakeFile(':item', ':file'),
    { config: { right: 'seeInbox' } },
    async (request, reply) => {
      const { item, file: id } = request.params
      const file = await findIntakeContent(db, idIn(item), idIn(id))
      if (!file) throw notFound('Filen venter ikke længere i indbakken.')
      const wanted = answerTo(request.method, request.headers, file)
      void reply.code(wanted.status)
      if (wanted.status === 412) return reply.send()
      if (wanted.status === 416) return reply.header('content-range', `bytes */${file.size}`).send()
      void reply.headers(headersOf(file, dispositionOf(file)))
      if (wanted.status === 304) return reply.send()
      const part = wanted.status === 206 ? wanted.part : { first: 0, last: file.size - 1 }
      const length = part.last - part.first + 1
      void reply.header('content-length', length)
      if (wanted.status === 206)
        void reply.header('content-range', `bytes ${part.first}-${part.last}/${file.size}`)
      if (request.method === 'HEAD') return reply.send()
      const isWhole = length === file.size
      const bytes = await storage.open(
        file.key,
        part,
        isWhole && length <= COMPARED ? file.sha256 : undefined,
      )
      // A browser fetches a long PDF in parts: the first one is the opening.
      if (part.first === 0)
        await addLoneLogEntry(db, actorOf(request), 'intake-opened', { detail: String(file.id) })
      return reply.send(bytes)
    },
  )
}
