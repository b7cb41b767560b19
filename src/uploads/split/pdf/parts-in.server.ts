import { Readable } from 'node:stream'

/** The program ended in the middle of a part. */
export class PartsEnded extends Error {}

/** Reads parts that each come after their length in four bytes. Each must be read to its end before the next comes. */
export async function* partsIn(answer: Readable): AsyncGenerator<Readable> {
  const chunks = answer.iterator() as AsyncIterableIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)

  /** Returns up to `most` of the bytes that come next; nothing at the end. */
  async function next(most: number): Promise<Buffer> {
    if (held.length === 0) {
      const step = await chunks.next()
      if (step.done) return Buffer.alloc(0)
      held = step.value
    }
    const bytes = held.subarray(0, most)
    held = held.subarray(bytes.length)
    return bytes
  }

  async function* some(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      const bytes = await next(left)
      if (bytes.length === 0) throw new PartsEnded()
      left -= bytes.length
      yield bytes
    }
  }

  try {
    for (;;) {
      const first = await next(4)
      if (first.length === 0) return
      const head = [first]
      for await (const rest of some(4 - first.length)) head.push(rest)
      const length = Buffer.concat(head).readUInt32BE()
      yield Readable.from(some(length), { objectMode: false })
    }
  } finally {
    answer.destroy() // or a program that is not heard to its end would never be over
  }
}
