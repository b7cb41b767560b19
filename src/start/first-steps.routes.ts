import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { submit } from '../server/http/forms/submit.ts'
import { validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { decideFirstStep } from './first-steps.db.ts'
import { DECISIONS } from './first-steps.ts'

const Form = z.object({ decision: z.enum(DECISIONS, 'Vælg et af trinene.') })

/** Adds the route with which an administrator settles a first step that the data cannot show, or puts the list away. */
export function addFirstSteps(app: FastifyInstance, { db }: Parts): void {
  app.post(urls.firstSteps, { config: { right: 'editOffice' } }, (request, reply) =>
    submit(request, reply, async () => {
      await decideFirstStep(db, validate(Form, request.body).decision)
      return urls.start
    }),
  )
}
