import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { writeAll } from '../server/storage/write-all.ts'
import { encrypt } from './encryption.server.ts'

/** Where the bytes of a copy go. */
export type Sink = {
  write(pieces: Buffer[]): Promise<void>
  /** Returns the SHA-256 of everything that is in the file. */
  end(): Promise<string>
}

export const openSink = (handle: FileHandle, key: string | null): Promise<Sink> | Sink =>
  key === null ? new PlainSink(handle) : EncryptedSink.open(handle, key)

class PlainSink implements Sink {
  #handle: FileHandle
  #position = 0
  #hash: Hash = createHash('sha256')

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(pieces: Buffer[]): Promise<void> {
    for (const piece of pieces) this.#hash.update(piece)
    this.#position = await writeAll(this.#handle, pieces, this.#position)
  }

  async end(): Promise<string> {
    return this.#hash.digest('hex')
  }
}

class EncryptedSink implements Sink {
  #writer: WritableStreamDefaultWriter<Uint8Array>
  #written: Promise<string>

  private constructor(writer: WritableStreamDefaultWriter<Uint8Array>, written: Promise<string>) {
    this.#writer = writer
    this.#written = written
    written.catch((error: unknown) => writer.abort(error).catch(() => undefined)) // the next write gets it
  }

  static async open(handle: FileHandle, key: string): Promise<Sink> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const encrypted = encrypt(key, readable)
    return new EncryptedSink(
      writable.getWriter(),
      encrypted.then((stream) => pump(stream, new PlainSink(handle))),
    )
  }

  async write(pieces: Buffer[]): Promise<void> {
    for (const piece of pieces) await this.#writer.write(piece)
  }

  async end(): Promise<string> {
    await this.#writer.close()
    return this.#written
  }
}

const GATHERED = 1024 * 1024

/** age gives pieces of 64 KB, which are written together. */
async function pump(stream: ReadableStream<Uint8Array>, sink: Sink): Promise<string> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream) {
    pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length))
    bytes += piece.length
    if (bytes < GATHERED) continue
    await sink.write(pieces)
    ;[pieces, bytes] = [[], 0]
  }
  await sink.write(pieces)
  return sink.end()
}
