import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenOver } from './connections.ts'

/** Does work for a client that waits, and aborts its signal when the client leaves. Then nothing is answered. */
export async function whileConnected<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | FastifyReply> {
  const left = new AbortController()
  whenOver(request.raw, reply.raw, () => left.abort())
  try {
    return await work(left.signal)
  } catch (error) {
    if (!left.signal.aborted) throw error
    return reply.hijack()
  }
}
