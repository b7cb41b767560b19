import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { breather } from '../../process/breather.ts'

type Options = NonNullable<Parameters<FastifyRequest['parts']>[0]>

/** The body has ended, and the parser only works on what is in memory. */
const STUCK_MS = 500

/**
 * Yields the parts of a multipart body. Ends waits that the parser would never end: for the rest of a part's headers,
 * or for a body whose sender has disconnected.
 */
export async function* partsOf(request: FastifyRequest, options: Options = {}): AsyncGenerator<Multipart> {
  const { raw } = request
  const parts = request.parts(options)[Symbol.asyncIterator]()
  const breathe = breather()
  for (let isFirst = true; ; isFirst = false) {
    // Thousands of small files come without a pause. The parser takes the body before any pause: where somebody listens to
    // the body already, what comes before that would be lost.
    if (!isFirst) await breathe()
    const { promise: stuck, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      const ms = raw.readableEnded ? STUCK_MS : 0 // a sender who has disconnected sends no more
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
