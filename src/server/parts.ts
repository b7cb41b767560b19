import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { breather } from './breather.ts'

type Options = NonNullable<Parameters<FastifyRequest['parts']>[0]>

/** All has come, and the parser has nothing but what is in memory. */
const STUCK_MS = 500

/**
 * The parts of a multipart body. The parser waits for ever for what cannot come: the end of a part's headers that the body
 * does not have, or anything of a body whose sender has gone before it was read.
 */
export async function* partsOf(request: FastifyRequest, options: Options = {}): AsyncGenerator<Multipart> {
  const { raw } = request
  const parts = request.parts(options)[Symbol.asyncIterator]()
  const breathe = breather()
  for (;;) {
    await breathe() // thousands of small files come without a pause
    const { promise: stuck, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      const ms = raw.readableEnded ? STUCK_MS : 0 // whoever has gone sends no more
      timer ??= setTimeout(() => reject(new Error('Malformed multipart: a part has no end.')), ms)
    }
    if (raw.readableEnded || raw.destroyed) wait()
    else raw.once('end', wait).once('close', wait)
    const next = await Promise.race([parts.next(), stuck]).finally(() => {
      clearTimeout(timer)
      raw.off('end', wait).off('close', wait)
    })
    if (next.done) return
    yield next.value
  }
}
