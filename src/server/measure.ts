import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { fileTypeFromBuffer } from 'file-type'

export type Measured = { size: number; sha256: string; type: string }

export class TooLarge extends Error {
  limit: number
  constructor(limit: number) {
    super(`More than ${limit} bytes.`)
    this.limit = limit
  }
}

/** Enough to tell a Word document from any other ZIP file. */
const HEAD = 64 * 1024

/** Passes bytes on unchanged and knows afterwards how many they were, their SHA-256 and their type. */
export class Measure extends Transform {
  #limit: number
  #size = 0
  #hash = createHash('sha256')
  #head: Buffer[] = []
  #headSize = 0

  constructor(limit: number) {
    super({ highWaterMark: 256 * 1024 })
    this.#limit = limit
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#size += chunk.length
    if (this.#size > this.#limit) return done(new TooLarge(this.#limit))
    this.#hash.update(chunk)
    if (this.#headSize < HEAD) {
      this.#head.push(chunk.subarray(0, HEAD - this.#headSize))
      this.#headSize += chunk.length
    }
    done(null, chunk)
  }

  async result(): Promise<Measured> {
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      type: await typeOf(Buffer.concat(this.#head)),
    }
  }
}

/** The type that the first bytes show; what a client calls a file is never asked. */
async function typeOf(head: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return found.mime
  return isText(head) ? 'text/plain' : 'application/octet-stream'
}

function isText(head: Buffer): boolean {
  // The last character may be cut in the middle.
  const text = new TextDecoder().decode(head, { stream: true })
  // oxlint-disable-next-line no-control-regex -- control characters are what tells text from other bytes
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(text)
}
