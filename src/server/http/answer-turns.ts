import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from './address.ts'
import { whenOver } from './connections.ts'
import { FairQueue } from '../process/fair-queue.ts'

/** Whom work is done for: whoever is signed in, or the network of who is not. */
export function clientOf({ user, ip }: FastifyRequest): string {
  return user ? `user ${user.id}` : networkOf(ip)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Waits until it may be answered; before anything that takes time is done for it. */
    takeTurn: () => Promise<void>
  }
}

type Answering = { response: ServerResponse; turns: Map<FairQueue, () => void> }

const requests = new WeakMap<FastifyRequest, Answering>()

/** Of each client so many requests are answered at a time, and the others wait. */
export function addAnswerTurns(app: FastifyInstance, each: number): void {
  const answering = new FairQueue({ each })
  app.decorateRequest('takeTurn', function (this: FastifyRequest) {
    return takeTurn(answering, this)
  })
  app.addHook('onRequest', (request, reply, done) => {
    requests.set(request, { response: reply.raw, turns: new Map() })
    done()
  })
  // What is left is to send it, at the reader's own pace.
  app.addHook('onSend', (request, _reply, payload, done) => {
    for (const leave of requests.get(request)?.turns.values() ?? []) leave()
    done(null, payload)
  })
}

/** Waits until it is the client's turn, which then lasts until the answer is ready. */
export async function takeTurn(queue: FairQueue, request: FastifyRequest): Promise<void> {
  const { response, turns } = requests.get(request)!
  if (turns.has(queue)) return
  const leave = await queue.enter(clientOf(request))
  turns.set(queue, leave)
  whenOver(request.raw, response, leave)
}
