import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'

type Options = NonNullable<Parameters<FastifyRequest['parts']>[0]>

/** All has come, and the parser has nothing but what is in memory. */
const STUCK_MS = 2000

/** The parts of a multipart body. The parser waits for ever for the end of a part's headers that the body does not have. */
export async function* partsOf(request: FastifyRequest, options: Options = {}): AsyncGenerator<Multipart> {
  const parts = request.parts(options)[Symbol.asyncIterator]()
  for (;;) {
    const { promise: stuck, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      timer = setTimeout(() => reject(new Error('Malformed multipart: a part has no end.')), STUCK_MS)
    }
    if (request.raw.readableEnded) wait()
    else request.raw.once('end', wait)
    const next = await Promise.race([parts.next(), stuck]).finally(() => {
      clearTimeout(timer)
      request.raw.off('end', wait)
    })
    if (next.done) return
    yield next.value
  }
}
