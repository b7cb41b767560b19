import { Readable } from 'node:stream'
import { passBuffer } from '../process/passed-buffers.ts'
import { HashedBytes } from './measure.ts'
import type { Answer, Bucket } from './s3-bucket.ts'
import { wholeName } from './s3-pieces.ts'
import { DamagedBytes, MissingBytes, StoreAway, type ByteRange } from './storage.ts'

/**
 * Streams an object's bytes. If the store breaks off, it asks for the rest: a whole object never changes. So a store
 * may also hang up on a slow reader.
 */
export class S3Stream extends Readable {
  #bucket: Bucket
  #name: string
  #body: Readable | null
  #at: number
  #last: number
  #failures = 0
  #isAsking = false

  /** Throws `MissingBytes` for an unknown key. */
  static async open(bucket: Bucket, key: string, range?: ByteRange): Promise<S3Stream> {
    const stream = await S3Stream.openObject(bucket, wholeName(key), range)
    if (!stream) throw new MissingBytes(key)
    return stream
  }

  static async openObject(bucket: Bucket, name: string, range?: ByteRange): Promise<S3Stream | null> {
    const answer = await bucket.get(name, range)
    if (!answer) return null
    const { first, last } = range ?? { first: 0, last: answer.length - 1 }
    if (answer.length !== last - first + 1) {
      answer.body.destroy()
      throw new Error(`${name} ends ${last - first + 1 - answer.length} bytes early.`)
    }
    return new S3Stream(bucket, name, answer, { first, last })
  }

  constructor(bucket: Bucket, name: string, { body }: Answer, { first, last }: ByteRange) {
    super({ highWaterMark: 256 * 1024 })
    this.#bucket = bucket
    this.#name = name
    this.#at = first
    this.#last = last
    this.#body = body
    this.#listen(body)
  }

  #listen(body: Readable): void {
    body.on('data', (chunk: Buffer) => {
      this.#at += chunk.length
      this.#failures = 0
      if (!this.push(chunk)) body.pause()
      passBuffer(chunk.length)
    })
    for (const event of ['end', 'error', 'close']) body.on(event, () => this.#hasEnded(body))
    body.pause()
  }

  #hasEnded(body: Readable): void {
    if (this.#body !== body) return
    this.#body = null
    if (this.#at > this.#last) this.push(null)
    else if (this.readableLength < this.readableHighWaterMark) this.#goOn() // otherwise _read continues
  }

  override _read(): void {
    if (this.#body) this.#body.resume()
    else this.#goOn()
  }

  #goOn(): void {
    if (this.#isAsking || this.#at > this.#last || this.destroyed) return
    this.#isAsking = true
    this.#ask()
      .catch((error: Error) => this.destroy(error))
      .finally(() => (this.#isAsking = false))
  }

  async #ask(): Promise<void> {
    this.#failures++
    if (this.#failures >= this.#bucket.limits.attempts)
      throw new StoreAway(`The bucket ${this.#bucket.name} breaks off ${this.#name}.`)
    const answer = await this.#bucket.get(this.#name, { first: this.#at, last: this.#last })
    if (!answer) throw new Error(`${this.#name} was removed while it was read.`)
    if (this.destroyed) return void answer.body.destroy()
    this.#body = answer.body
    this.#listen(answer.body)
    answer.body.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const body = this.#body
    this.#body = null
    body?.destroy()
    done(error)
  }
}

/** Ends in `DamagedBytes` if the bytes have another SHA-256. */
export const untilDifferent = (bytes: Readable, sha256: string) =>
  Readable.from(compared(bytes, sha256), { objectMode: false })

/** Holds the last chunk back until the SHA-256 of all bytes is right. */
async function* compared(bytes: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hashed = new HashedBytes(bytes)
  let held: Buffer | undefined
  for await (const chunk of hashed) {
    if (held) yield held
    held = chunk
  }
  if (hashed.digest() !== sha256) throw new DamagedBytes('The object has other bytes than it had.')
  if (held) yield held
}
