import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, link, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  asJson,
  checksumLine,
  MANIFEST,
  nameOfChecksums,
  MANIFEST_SUM,
  type Fault,
  type Manifest,
} from './archive.server.ts'
import { HashedBytes } from '../server/storage/measure.ts'
import { syncDirectory } from '../server/storage/sync-directory.ts'
import { BLOCK, encodeHeader, paddingOf } from './tar.server.ts'
import { openSink, type Sink } from './archive-sink.server.ts'

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>

/** How many entries share a list of checksums. A longer list would take more memory. */
const LISTED = 10_000
const GATHERED = 1024 * 1024

/** The end of the file's name until it is complete. */
export const PARTIAL = /\.[0-9a-f]{8}\.partial$/

/**
 * Writes a copy to a temporary file, and moves it into place once it is complete and safe from a power cut. Removes
 * an unfinished file at the end. Never replaces an existing file.
 */
export class ArchiveWriter implements AsyncDisposable {
  #file: string
  #temporary: string
  #handle: FileHandle
  #sink: Sink
  #mtime: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #writing: Promise<void> = Promise.resolve()
  #lines: string[] = []
  #manifest: Manifest = { entries: 0, bytes: 0, checksums: [], faults: [] }

  private constructor(file: string, temporary: string, handle: FileHandle, sink: Sink, at: Date) {
    this.#file = file
    this.#temporary = temporary
    this.#handle = handle
    this.#sink = sink
    this.#mtime = Math.floor(at.getTime() / 1000)
  }

  /** With a key the file is encrypted in the format of age. */
  static async create(file: string, at: Date, key: string | null = null): Promise<ArchiveWriter> {
    if (await isThere(file)) throw alreadyThere(file)
    const temporary = join(dirname(file), `${basename(file)}.${randomBytes(4).toString('hex')}.partial`)
    const handle = await open(temporary, 'wx', 0o600).catch((error: Error) => {
      throw cannotWrite(file, error)
    })
    return new ArchiveWriter(file, temporary, handle, await openSink(handle, key), at)
  }

  /** Returns the SHA-256 of the bytes. */
  async add(name: string, size: number, bytes: Bytes): Promise<string> {
    const sha256 = await this.#addEntry(name, size, bytes)
    this.#lines.push(checksumLine(name, sha256))
    this.#manifest.entries++
    this.#manifest.bytes += size
    if (this.#lines.length === LISTED) await this.#addChecksums()
    return sha256
  }

  addWhole(name: string, bytes: Buffer): Promise<string> {
    return this.add(name, bytes.length, [bytes])
  }

  note(fault: Fault): void {
    this.#manifest.faults.push(fault)
  }

  /**
   * Completes the file and moves it into place, under another name if given. The check gets the complete file and its
   * SHA-256 before that, and throws if it is not as it should be.
   */
  async finish(file = this.#file, check?: (file: string, sha256: string) => Promise<void>): Promise<void> {
    this.#file = file
    if (this.#lines.length > 0) await this.#addChecksums()
    const manifest = asJson(this.#manifest)
    const sha256 = await this.#addEntry(MANIFEST, manifest.length, [manifest])
    const seal = Buffer.from(checksumLine(MANIFEST, sha256))
    await this.#addEntry(MANIFEST_SUM, seal.length, [seal])
    await this.#write(Buffer.alloc(2 * BLOCK))
    await this.#flush()
    await this.#writing
    const whole = await this.#sink.end().catch((error: Error) => {
      throw cannotWrite(this.#file, error)
    })
    await this.#handle.sync()
    await this.#handle.close()
    await check?.(this.#temporary, whole)
    await this.#putInPlace()
    await syncDirectory(dirname(this.#file))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => undefined)
    await this.#handle.close().catch(() => undefined) // may be closed already
    await rm(this.#temporary, { force: true })
  }

  async #addEntry(name: string, size: number, bytes: Bytes): Promise<string> {
    await this.#write(encodeHeader({ name, size, mtime: this.#mtime }))
    const hashed = new HashedBytes(bytes)
    for await (const chunk of hashed) {
      if (hashed.size > size) break
      await this.#write(chunk)
    }
    if (hashed.size !== size) throw new Error(`${name} was to have ${size} bytes, and has others.`)
    const padding = paddingOf(size)
    if (padding > 0) await this.#write(ZEROS.subarray(0, padding))
    return hashed.digest()
  }

  async #addChecksums(): Promise<void> {
    const name = nameOfChecksums(this.#manifest.checksums.length + 1)
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    const sha256 = await this.#addEntry(name, bytes.length, [bytes])
    this.#manifest.checksums.push({ name, size: bytes.length, sha256 })
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes >= GATHERED) await this.#flush()
  }

  /** Writes one piece while the next is gathered. */
  async #flush(): Promise<void> {
    await this.#writing
    const pieces = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#writing = this.#sink.write(pieces).catch((error: Error) => {
      throw cannotWrite(this.#file, error)
    })
    this.#writing.catch(() => undefined) // the next one to await it gets the error
  }

  async #putInPlace(): Promise<void> {
    try {
      await link(this.#temporary, this.#file) // never replaces a file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(this.#file)
      // The disk may not support hard links, as on a USB stick.
      if (await isThere(this.#file)) throw alreadyThere(this.#file)
      await rename(this.#temporary, this.#file)
    }
  }
}

const ZEROS = Buffer.alloc(BLOCK)

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file, constants.F_OK)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const cannotWrite = (file: string, cause: Error) =>
  new Error(`${file} cannot be written: ${cause.message}`, { cause })

const alreadyThere = (file: string) => new Error(`${file} is there already; a copy is never written over.`)
