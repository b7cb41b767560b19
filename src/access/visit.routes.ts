import type { FastifyRequest } from 'fastify'
import { actorOf } from '../log/actor.routes.ts'
import { userOf } from '../server/http/permit.ts'
import type { Visit } from './reader.ts'

/** The person who is signed in, for what both shows and writes down. */
export function visitOf(request: FastifyRequest): Visit {
  return { actor: actorOf(request), reader: userOf(request) }
}
