import type { FastifyRequest } from 'fastify'
import { redirectToWaiting, type Gate } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { APPROVAL_ACT } from './release-acts.server.ts'

/** Turns approval on, or asks a colleague to turn it off. Returns where to read that it waits, if it does. */
export async function setApproval(
  request: FastifyRequest,
  parts: Parts,
  gate: Gate,
  isWanted: boolean,
): Promise<{ redirect: string } | null> {
  const visit = visitOf(request)
  if (isWanted) {
    await APPROVAL_ACT.run(parts.db, parts, visit, { isWanted })
    return null
  }
  const { asked } = await gate.carryOut(visit, APPROVAL_ACT, { isWanted })
  return asked && redirectToWaiting(asked)
}
