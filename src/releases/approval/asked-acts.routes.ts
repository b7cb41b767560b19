import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Gate, StoredAct } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { lines, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { MOST_MESSAGE } from '../release/release.ts'
import { approveAct, rejectAct } from './asked-acts.db.ts'

type Address = { Params: { act: string } }

const Rejecting = z.object({ rejection: lines('Beskeden', MOST_MESSAGE) })
const UUID = z.uuid()

function actIn({ params: { act } }: { params: Address['Params'] }): string {
  if (!UUID.safeParse(act).success) throw notFound('Det findes ikke længere.')
  return act
}

/** Adds the answers to acts that wait for a colleague, and withdrawing one's own. */
export function addAskedActs(
  app: FastifyInstance,
  parts: Parts,
  gate: Gate,
  acts: readonly StoredAct[],
): void {
  const change = { config: { right: 'changeFiles' } } as const

  app.post<Address>(urls.askedAct(':act', 'approve'), change, (request, reply) =>
    submit(request, reply, async () => {
      await approveAct(parts, acts, visitOf(request), actIn(request))
      return urls.releases
    }),
  )

  app.post<Address>(urls.askedAct(':act', 'reject'), change, (request, reply) =>
    submit(request, reply, async () => {
      const { rejection } = validate(Rejecting, request.body)
      await rejectAct(parts.db, parts, visitOf(request), actIn(request), rejection)
      return urls.releases
    }),
  )

  app.post<Address>(urls.askedAct(':act', 'take-back'), change, (request, reply) =>
    submit(request, reply, async () => {
      if (!(await gate.takeBack(visitOf(request), actIn(request))))
        throw conflict('Der er allerede svaret. Genindlæs siden.')
      return urls.releases
    }),
  )
}
