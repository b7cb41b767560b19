import type { FastifyRequest } from 'fastify'
import { addressOf } from '../server/http/address.ts'
import { userOf } from '../server/http/permit.ts'
import type { Actor } from './log.db.ts'

/** Returns the signed-in person as the log's actor, with the API key of their program, or the person whom they view as. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, viewedBy } = userOf(request)
  const address = addressOf(request)
  if (request.token) return { userId: id, tokenId: request.token.id, address }
  return viewedBy ? { userId: viewedBy.id, asUserId: id, address } : { userId: id, address }
}
