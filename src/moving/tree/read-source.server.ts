import { constants, type BigIntStats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

/** The file was written to while it was read: what was read may be half of it. */
export class ChangedWhileRead extends Error {
  constructor() {
    super('The file changed while it was read.')
  }
}

/** It is no longer a file that may be opened. */
export class NoFile extends Error {}

// Follows no link that took the file's place, and does not wait for the other end of a pipe that did.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A file of the drive that is open for reading. */
export class Source implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #before: BigIntStats

  private constructor(handle: FileHandle, before: BigIntStats) {
    this.#handle = handle
    this.#before = before
  }

  static async open(path: Buffer): Promise<Source> {
    const handle = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? new NoFile('It is a link now.', { cause: error }) : error
    })
    try {
      const before = await handle.stat({ bigint: true })
      if (!before.isFile()) throw new NoFile('It is no plain file now.')
      return new Source(handle, before)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  get size(): number {
    return Number(this.#before.size)
  }

  get changedAt(): Date {
    return this.#before.mtime
  }

  /** Reads all of it into memory. Throws `ChangedWhileRead` if it is not what it was when it was opened. */
  async readAll(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.size)
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.#handle.read(bytes, at, bytes.length - at, at)
      if (bytesRead === 0) throw new ChangedWhileRead()
      at += bytesRead
    }
    await this.check()
    return bytes
  }

  stream() {
    return this.#handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })
  }

  /** Throws `ChangedWhileRead` if it was written to since it was opened. */
  async check(): Promise<void> {
    const after = await this.#handle.stat({ bigint: true })
    if (after.size !== this.#before.size || after.mtimeNs !== this.#before.mtimeNs)
      throw new ChangedWhileRead()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}
