import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { TooLarge, type Summing } from '../../server/storage/measure.ts'

/** A piece does not match its sender's sum; none of it is kept. */
export class DifferentPiece extends Error {}

/** Hashes and counts a piece as it arrives, and compares it with its sender's sum. */
export class IncomingPiece {
  /** Why the piece ended early; the bytes until then are kept. */
  broken: { reason: unknown } | undefined
  #bytes: Readable
  #most: number
  #sums: Summing | undefined
  #expected: string | undefined

  constructor(bytes: Readable, most: number, sums: Summing | undefined, expected: string | undefined) {
    this.#bytes = bytes
    this.#most = most
    this.#sums = sums
    this.#expected = expected
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const own = this.#expected === undefined ? undefined : createHash('sha256')
    let size = 0
    try {
      // The connection is still needed for the answer.
      for await (const chunk of this.#bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > this.#most) throw new TooLarge(this.#most)
        this.#sums?.update(chunk)
        own?.update(chunk)
        yield chunk
      }
    } catch (reason) {
      if (own || reason instanceof TooLarge) throw reason
      this.broken = { reason }
    }
    if (own && own.digest('hex') !== this.#expected) throw new DifferentPiece()
  }
}
