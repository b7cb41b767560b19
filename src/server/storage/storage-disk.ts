import { randomBytes, createHash, type Hash } from 'node:crypto'
import { close as closeDescriptor, constants, open as openDescriptor, read as readDescriptor } from 'node:fs'
import {
  access,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { DiskRoom } from './disk-room.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeAll } from './write-all.ts'
import {
  ChangedMeanwhile,
  DamagedBytes,
  LostBytes,
  MissingBytes,
  type Place,
  type ByteRange,
} from './storage.ts'

const SEALED = 0o400
/** More than one block, so that the probe fails on a full disk. */
const PROBE_BYTES = 16 * 1024
let probes = 0
const CHUNK = 256 * 1024

const FANS = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/** How many bytes are written between two checks of the disk's space. */
const LOOKED_EVERY = 4 * 1024 * 1024

/**
 * Stores files under `root`, in directories named by the key's first two characters. With `room`, it refuses new
 * bytes when the disk is low.
 */
export async function openDiskStorage(root: string, room?: DiskRoom): Promise<Place> {
  await makeFans(root)

  const fileOf = (key: string) => {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`Not a storage key: ${key}`)
    return join(root, key.slice(0, 2), key.slice(2))
  }

  async function* whileRoom(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    let written = 0
    for await (const chunk of bytes) {
      written += chunk.length
      if (written >= LOOKED_EVERY) {
        await room!.ensure()
        written = 0
      }
      yield chunk
    }
  }
  const bounded = (bytes: AsyncIterable<Buffer> | Iterable<Buffer>) => (room ? whileRoom(bytes) : bytes)

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await room?.ensure()
      await using handle = await open(file, 'wx', 0o600)
      await writeAll(handle, bounded(bytes), 0)
      await Promise.all([seal(handle), syncDirectory(dirname(file))])
    },

    async append(key, offset, bytes) {
      const file = fileOf(key)
      await room?.ensure()
      await using handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)
      const { size, mode } = await handle.stat()
      if ((mode & 0o777) === SEALED) throw new Error(`${key} is sealed and takes no more bytes.`)
      if (offset > size) throw new LostBytes(`${key} has ${size} bytes; nothing can be written at ${offset}.`)
      if (offset < size) throw new ChangedMeanwhile(key)
      try {
        return await writeAll(handle, bounded(bytes), offset)
      } finally {
        await handle.sync()
        if (offset === 0) await syncDirectory(dirname(file))
      }
    },

    async cut(key, length) {
      const found = await find(fileOf(key))
      const size = found?.size ?? 0
      if (size === length) return
      if (size < length) throw new LostBytes(`${key} has ${size} bytes; ${length} were acknowledged.`)
      if ((found!.mode & 0o777) === SEALED)
        throw new LostBytes(`${key} is sealed with ${size} bytes; ${length} were acknowledged.`)
      await using handle = await openExisting(key, fileOf(key), constants.O_RDWR)
      await handle.truncate(length)
    },

    async length(key) {
      return (await find(fileOf(key)))?.size ?? 0
    },

    async seal(key) {
      const file = fileOf(key)
      await using handle = await openExisting(key, file, constants.O_RDONLY)
      await seal(handle)
      await syncDirectory(dirname(file)) // a crash may have come before the first append did this
    },

    async open(key, range, sha256) {
      const handle = await openExisting(key, fileOf(key), constants.O_RDONLY)
      if (!range) return handle.createReadStream({ highWaterMark: CHUNK })
      return new RangeStream(handle, range, sha256)
    },

    async read(key, range) {
      const file = fileOf(key)
      try {
        return await readRange(file, range)
      } catch (error) {
        throw missingIfUnknown(key, error)
      }
    },

    async findPath(key, size) {
      const found = await find(fileOf(key))
      const isWhole = found !== null && (found.mode & 0o777) === SEALED && found.size === size
      return isWhole ? `${key.slice(0, 2)}/${key.slice(2)}` : null
    },

    async remove(key) {
      const file = fileOf(key)
      await rm(file, { force: true })
      await syncDirectory(dirname(file))
    },

    async *list() {
      for (const fan of FANS)
        for (const rest of await readdir(join(root, fan))) {
          const found = await find(join(root, fan, rest)) // may have been removed meanwhile
          if (found) yield { key: fan + rest, size: found.size }
        }
    },

    async isEmpty() {
      for (const fan of FANS) if ((await readdir(join(root, fan))).length > 0) return false
      return true
    },

    check: () => writeAndRead(root),
    checkParts: () => lookIntoEach(root),

    async find(key) {
      const found = await find(fileOf(key))
      return found && { size: found.size, isWhole: (found.mode & 0o777) === SEALED }
    },
  }
}

async function lookIntoEach(root: string): Promise<void> {
  for (const fan of FANS) {
    const directory = join(root, fan)
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    // a broken disk fails at the first entry
    const opened = await opendir(directory)
    await opened.read().finally(() => opened.close())
  }
}

async function writeAndRead(root: string): Promise<void> {
  // Named after this process, since another may be checking too.
  const probe = join(root, `.probe-${process.pid}-${++probes}`)
  const bytes = randomBytes(PROBE_BYTES)
  try {
    await writeFile(probe, bytes, { mode: 0o600, flush: true })
    if (!bytes.equals(await readFile(probe))) throw new Error(`${probe} was not read as it was written.`)
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

/** Streams a range. Node's own file stream ends without an error if the file is too short. */
class RangeStream extends Readable {
  #handle: FileHandle
  #position: number
  #left: number
  #reading: Promise<void> | undefined
  #isSent = false
  #hash: Hash | undefined
  #sha256: string | undefined

  constructor(handle: FileHandle, { first, last }: ByteRange, sha256?: string) {
    super({ highWaterMark: CHUNK })
    this.#handle = handle
    this.#position = first
    this.#left = last - first + 1
    this.#sha256 = sha256
    if (sha256 !== undefined) this.#hash = createHash('sha256')
  }

  override _read(): void {
    if (this.#isSent) return
    if (this.#left === 0) this.push(null)
    else this.#reading = this.#readOn().catch((error: Error) => void this.destroy(error))
  }

  async #readOn(): Promise<void> {
    this.push(await this.#fill(Buffer.allocUnsafeSlow(Math.min(CHUNK, this.#left))))
  }

  async #fill(buffer: Buffer): Promise<Buffer> {
    const most = Math.min(buffer.length, this.#left)
    const { bytesRead } = await this.#handle.read(buffer, 0, most, this.#position)
    if (bytesRead === 0) throw tooShort(this.#left)
    this.#position += bytesRead
    this.#left -= bytesRead
    this.#hash?.update(buffer.subarray(0, bytesRead))
    if (this.#left === 0 && this.#hash && this.#hash.digest('hex') !== this.#sha256) throw differs()
    return buffer.subarray(0, bytesRead)
  }

  /**
   * Pipes into an HTTP response through two buffers in turn: a new one for each chunk keeps the garbage collector
   * busier than the disk. Other streams get new buffers, because they may keep them.
   */
  override pipe<To extends NodeJS.WritableStream>(to: To, options?: { end?: boolean }): To {
    if (!(to instanceof ServerResponse)) return super.pipe(to, options)
    this.#isSent = true
    this.#sendTo(to).catch((error: Error) => this.destroy(error))
    return to
  }

  async #sendTo(response: ServerResponse): Promise<void> {
    await this.#reading
    const ahead = this.read() as Buffer | null
    const turns = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(CHUNK, this.#left)))
    let written = write(response, ahead ?? Buffer.alloc(0))
    for (let turn = 0; this.#left > 0; turn++) {
      const bytes = await this.#fill(turns[turn % 2]!)
      if (!(await written)) return void this.destroy() // the client has disconnected
      written = write(response, bytes)
    }
    await written
    response.end()
    this.push(null)
    this.resume()
  }

  /** Closes the handle, which waits for a running read. */
  override _destroy(reason: Error | null, done: (error: Error | null) => void): void {
    void this.#close(reason).then(done)
  }

  async #close(reason: Error | null): Promise<Error | null> {
    try {
      await this.#handle.close()
      return reason
    } catch (error) {
      return reason ?? (error as Error)
    }
  }
}

/** Reads a range through a bare descriptor, at half the cost of a `FileHandle` and its promises. */
function readRange(file: string, { first, last }: ByteRange): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(last - first + 1)
  return new Promise((resolve, reject) => {
    openDescriptor(file, constants.O_RDONLY, (fault, descriptor) => {
      if (fault) return reject(fault)
      const end = (error?: Error) => {
        closeDescriptor(descriptor, (closing) => {
          const failed = error ?? closing
          if (failed) reject(failed)
          else resolve(bytes)
        })
      }
      const readFrom = (filled: number) => {
        const rest = bytes.length - filled
        if (rest === 0) return end()
        readDescriptor(descriptor, bytes, filled, rest, first + filled, (error, count) => {
          if (error) end(error)
          else if (count === 0) end(tooShort(rest))
          else readFrom(filled + count)
        })
      }
      readFrom(0)
    })
  })
}

/** Writes to the response and waits until the bytes have left, so that their buffer is free. False on an error. */
function write(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => response.write(bytes, (error) => resolve(!error)))
}

const tooShort = (missing: number) => new DamagedBytes(`The file ends ${missing} bytes early.`)
const differs = () => new DamagedBytes('The file has other bytes than it had.')

/** Makes all directories before the first file, so that syncing a file's own directory makes its name safe. */
async function makeFans(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const there = new Set(await readdir(root))
  const missing = FANS.filter((fan) => !there.has(fan)) // a restored copy may lack the empty ones
  if (missing.length === 0) return
  for (const fan of missing) await mkdir(join(root, fan), { mode: 0o700 })
  await syncDirectory(root)
  await syncDirectory(dirname(root))
}

async function seal(handle: FileHandle): Promise<void> {
  await handle.chmod(SEALED)
  await handle.sync()
}

async function openExisting(key: string, file: string, flags: number): Promise<FileHandle> {
  try {
    return await open(file, flags)
  } catch (error) {
    throw missingIfUnknown(key, error)
  }
}

function missingIfUnknown(key: string, error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new MissingBytes(key) : error
}

async function find(file: string) {
  try {
    return await stat(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
