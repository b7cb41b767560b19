import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { line, validate } from '../server/validate.ts'
import { urls } from '../urls.ts'

const Form = z.object({ name: line('Navn') })

/** Only in development and in the demo. */
export function addGallery(app: FastifyInstance): void {
  app.get(urls.gallery, { config: { right: 'visit' } }, (_request, reply) =>
    reply.page('gallery', {}, 'Galleri'),
  )

  app.post(urls.gallery, { config: { right: 'visit' } }, ({ body }) => {
    validate(Form, body)
    return {}
  })
}
