import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { idIn } from '../../server/http/ids.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { lines, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { approveRelease, rejectRelease } from './approve.db.ts'
import { MOST_MESSAGE } from '../release/release.ts'

type Address = { Params: { release: string } }
type ShowAgain = (
  request: FastifyRequest<Address>,
  reply: FastifyReply,
  refused: Refused,
) => Promise<FastifyReply>

const shown = z.string('Genindlæs siden, og prøv igen.').max(40).optional()
const Approving = z.object({ publish_at: shown, papers: shown })
const Rejecting = z.object({ rejection: lines('Beskeden', MOST_MESSAGE) })

/** Adds what a colleague answers when their approval is asked for. */
export function addApproval(
  app: FastifyInstance,
  { db, jobs, config: { appUrl } }: Parts,
  showAgain: ShowAgain,
): void {
  const change = { config: { right: 'changeFiles' } } as const

  app.post<Address>(urls.releaseAct(':release', 'approve'), change, (request, reply) =>
    submit(request, reply, async () => {
      const release = idIn(request.params.release)
      await approveRelease(db, visitOf(request), release, validate(Approving, request.body))
      return urls.release(release)
    }),
  )

  app.post<Address>(urls.releaseAct(':release', 'reject'), change, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const release = idIn(request.params.release)
        const { rejection } = validate(Rejecting, request.body)
        await rejectRelease(db, jobs, visitOf(request), release, rejection, appUrl)
        return urls.release(release)
      },
      (refused) => showAgain(request, reply, refused),
    ),
  )
}
