import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from './address.ts'
import { whenOver } from './connections.ts'
import { FairQueue, type Client } from '../process/fair-queue.ts'
import { personOf } from './permit.ts'

/**
 * Returns the client that a request counts for: the signed-in person, or the network of a stranger. A person's API keys and
 * sessions share the person's turns, and so do a network's strangers.
 */
export function clientOf({ user, token, ip, credential }: FastifyRequest): Client {
  if (token) return { who: personOf(user!), by: `token ${token.id}` }
  return { who: user ? personOf(user) : networkOf(ip), by: credential }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits for the client's turn. Call it before any work that takes time. */
    takeTurn: () => Promise<void>
  }
}

type Answering = { response: ServerResponse; turns: Map<FairQueue, () => void> }

const requests = new WeakMap<FastifyRequest, Answering>()

/** Answers at most `each` requests per client at a time; the others wait. */
export function addAnswerTurns(app: FastifyInstance, each: number): void {
  const answering = new FairQueue({ each })
  app.decorateRequest('takeTurn', function (this: FastifyRequest) {
    return takeTurn(answering, this)
  })
  app.addHook('onRequest', (request, reply, done) => {
    requests.set(request, { response: reply.raw, turns: new Map() })
    done()
  })
  // The answer is ready; sending it at the client's pace needs no turn.
  app.addHook('onSend', (request, _reply, payload, done) => {
    for (const leave of requests.get(request)?.turns.values() ?? []) leave()
    done(null, payload)
  })
}

/** Waits for the client's turn, which lasts until the answer is ready. */
export async function takeTurn(queue: FairQueue, request: FastifyRequest): Promise<void> {
  const { response, turns } = requests.get(request)!
  if (turns.has(queue)) return
  const leave = await queue.enter(clientOf(request))
  turns.set(queue, leave)
  whenOver(request.raw, response, leave)
}
