import type { FastifyRequest } from 'fastify'
import { addressOf } from '../server/http/address.ts'
import { userOf } from '../server/http/permit.ts'
import type { Actor } from './log.db.ts'

/** Returns the signed-in person as the log's actor, and as whom they see Ringbind if that is somebody else. */
export function actorOf(request: FastifyRequest): Actor {
  const { id, viewedBy } = userOf(request)
  const address = addressOf(request)
  return viewedBy ? { userId: viewedBy.id, asUserId: id, address } : { userId: id, address }
}
