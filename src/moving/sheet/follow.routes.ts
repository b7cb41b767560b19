import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { followAll } from '../../projects/expected/followed.db.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { optionalDay, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'

const WRONG = 'Genindlæs siden.'

const FollowForm = z.object({
  followed_from: optionalDay,
  /** How many projects the page said there are. */
  count: z
    .string(WRONG)
    .regex(/^\d{1,9}$/, WRONG)
    .transform(Number),
})

/** Adds the form that says from when an office follows the projects that are there. */
export function addFollowing(app: FastifyInstance, { db }: Parts): void {
  app.post(urls.followAll, { config: { right: 'moveIn' } }, (request, reply) =>
    submit(request, reply, async () => {
      const { followed_from: from, count } = validate(FollowForm, request.body)
      await followAll(db, visitOf(request), { from, count })
      return urls.import
    }),
  )
}
