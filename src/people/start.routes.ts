import type { FastifyInstance } from 'fastify'
import { userOf } from '../server/permit.ts'
import { urls } from '../urls.ts'

export function addStartPage(app: FastifyInstance): void {
  app.get(urls.start, { config: { right: 'enter' } }, (request, reply) =>
    reply.page('start', { firstName: userOf(request).name.split(' ')[0]! }, 'Forside'),
  )
}
