import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { editIn } from '../../server/edits.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { idIn } from '../../server/http/ids.ts'
import { optionalLine, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { MOST_NAME } from '../release/release-name.ts'
import { nameRelease } from './name-release.db.ts'

type Address = { Params: { release: string } }
type ShowAgain = (
  request: FastifyRequest<Address>,
  reply: FastifyReply,
  refused: Refused,
) => Promise<FastifyReply>

const NameForm = z.object({
  name: optionalLine('Navnet skal være en tekst.', MOST_NAME, `Navnet må højst være på ${MOST_NAME} tegn.`),
})

/** Adds the form that gives a release another name. */
export function addNaming(app: FastifyInstance, { db }: Parts, showAgain: ShowAgain): void {
  app.post<Address>(
    urls.releaseAct(':release', 'name'),
    { config: { right: 'changeFiles' } },
    (request, reply) =>
      submit(
        request,
        reply,
        async () => {
          const release = idIn(request.params.release)
          const form = validate(NameForm, request.body)
          await nameRelease(db, visitOf(request), release, form, editIn(request.body))
          return urls.release(release)
        },
        (refused) => showAgain(request, reply, refused),
      ),
  )
}
