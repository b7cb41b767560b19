import type { FastifyRequest } from 'fastify'
import { addressOf } from '../server/http/address.ts'
import { userOf } from '../server/http/permit.ts'
import type { Actor } from './log.db.ts'

/** Returns the signed-in person as the log's actor. */
export function actorOf(request: FastifyRequest): Actor {
  return { userId: userOf(request).id, address: addressOf(request) }
}
