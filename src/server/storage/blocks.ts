import { passBuffer } from '../process/passed-buffers.ts'

/**
 * Cuts a stream into blocks of one size; the last may be shorter. If the stream breaks, it yields the bytes that
 * arrived before it throws. Blocks that are given back are reused: new ones would keep the garbage collector busy.
 */
export class Blocks {
  #size: number
  #free: Buffer[] = []

  constructor(size: number) {
    this.#size = size
  }

  async *of(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, undefined> {
    let block = this.#free.pop() ?? Buffer.allocUnsafeSlow(Math.min(FIRST, this.#size))
    let filled = 0
    let broken: { reason: unknown } | undefined
    const source = piecesOf(bytes)
    for (;;) {
      const next = await source.next().catch((reason: unknown) => void (broken = { reason }))
      if (!next || next.done) break
      passBuffer(next.value.length)
      for (let from = 0; from < next.value.length;) {
        if (filled === block.length) block = this.#grow(block)
        const taken = next.value.copy(block, filled, from)
        from += taken
        filled += taken
        if (filled < this.#size) continue
        let isWanted = false
        try {
          yield block
          isWanted = true
        } finally {
          if (!isWanted) await source.return(undefined)
        }
        block = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#size)
        filled = 0
      }
    }
    if (filled > 0) yield block.subarray(0, filled)
    if (broken) throw broken.reason
    return undefined
  }

  giveBack(block: Buffer): void {
    if (block.length === this.#size) this.#free.push(block)
  }

  /** Starts small, because most files are small. */
  #grow(block: Buffer): Buffer {
    const larger = Buffer.allocUnsafeSlow(Math.min(block.length * 4, this.#size))
    block.copy(larger)
    return larger
  }
}

const FIRST = 128 * 1024

async function* piecesOf(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  for await (const piece of bytes) yield piece
  return undefined
}
