import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from './address.ts'
import { whenOver } from './connections.ts'
import type { FairQueue } from './fair-queue.ts'

/** Whom work is done for: whoever is signed in, or the network of who is not. */
export function clientOf({ user, ip }: FastifyRequest): string {
  return user ? `user ${user.id}` : networkOf(ip)
}

type Answering = { response: ServerResponse; leave: (() => void)[] }

const requests = new WeakMap<FastifyRequest, Answering>()

/** Requests may take turns: `takeTurn`. */
export function addAnswerTurns(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    requests.set(request, { response: reply.raw, leave: [] })
    done()
  })
  // What is left is to send it, at the reader's own pace.
  app.addHook('onSend', (request, _reply, payload, done) => {
    for (const leave of requests.get(request)?.leave ?? []) leave()
    done(null, payload)
  })
}

/** Waits until it is the client's turn, which then lasts until the answer is ready. */
export async function takeTurn(queue: FairQueue, request: FastifyRequest): Promise<void> {
  const answering = requests.get(request)!
  const leave = await queue.enter(clientOf(request))
  answering.leave.push(leave)
  whenOver(request.raw, answering.response, leave)
}
