import type { FastifyRequest } from 'fastify'
import { actorOf } from '../log/actor.routes.ts'
import { userOf } from '../server/http/permit.ts'
import type { Visit } from './reader.ts'

/** Returns the signed-in person, both as the log's actor and as the reader. */
export function visitOf(request: FastifyRequest): Visit {
  return { actor: actorOf(request), reader: userOf(request) }
}
