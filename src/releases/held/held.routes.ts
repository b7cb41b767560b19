import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { id, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { acceptPapers } from './accept-papers.db.ts'
import { MOST_ACCEPTED } from './held.ts'

const Accepting = z.object({
  /** The papers as the page showed them. */
  papers: z
    .string({ error: 'Vælg mindst ét papir.' })
    .max(25 * MOST_ACCEPTED, { error: 'Feltet kan ikke læses.', abort: true })
    .regex(/^\d{1,15}-[0-9a-f]{8}(?:,\d{1,15}-[0-9a-f]{8})*$/, 'Vælg mindst ét papir.')
    .transform((papers) => papers.split(',')),
  /** The page that it was said on; without it, that of all. */
  release: id.optional(),
})

/** Adds the office's answers to papers that are held because of their contents. */
export function addHeld(app: FastifyInstance, { db }: Parts): void {
  app.post(urls.acceptPapers, { config: { right: 'changeFiles' } }, (request, reply) =>
    submit(request, reply, async () => {
      const { papers, release } = validate(Accepting, request.body)
      await acceptPapers(db, visitOf(request), papers)
      return release === undefined ? urls.releases : urls.release(release)
    }),
  )
}
