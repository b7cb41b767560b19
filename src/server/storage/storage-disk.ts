import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
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
import { dirname, join } from 'node:path'
import { CHUNK, RangeStream, readRange } from './disk-range.ts'
import type { DiskRoom } from './disk-room.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeAll } from './write-all.ts'
import { ChangedMeanwhile, LostBytes, MissingBytes, type Place } from './storage.ts'

const SEALED = 0o400
/** More than one block, so that the probe fails on a full disk. */
const PROBE_BYTES = 16 * 1024
let probes = 0

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

  const bounded = (bytes: Bytes) => (room ? whileRoom(room, bytes) : bytes)

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await room?.ensure()
      await using handle = await open(file, 'wx', 0o600)
      await writeAll(handle, bounded(bytes), 0)
      await Promise.all([seal(handle), syncDirectory(dirname(file))])
    },

    async append(key, offset, bytes) {
      await room?.ensure()
      return append(key, fileOf(key), offset, bounded(bytes))
    },

    cut: (key, length) => cut(key, fileOf(key), length),

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
      const isWhole = found !== null && isSealed(found.mode) && found.size === size
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
      return found && { size: found.size, isWhole: isSealed(found.mode) }
    },
  }
}

type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>

/** Passes bytes on as long as the disk has room. */
async function* whileRoom(room: DiskRoom, bytes: Bytes): AsyncGenerator<Buffer> {
  let written = 0
  for await (const chunk of bytes) {
    written += chunk.length
    if (written >= LOOKED_EVERY) {
      await room.ensure()
      written = 0
    }
    yield chunk
  }
}

async function append(key: string, file: string, offset: number, bytes: Bytes): Promise<number> {
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  const { size, mode } = await handle.stat()
  if (isSealed(mode)) throw new Error(`${key} is sealed and takes no more bytes.`)
  if (offset > size) throw new LostBytes(`${key} has ${size} bytes; nothing can be written at ${offset}.`)
  if (offset < size) throw new ChangedMeanwhile(key)
  try {
    return await writeAll(handle, bytes, offset)
  } finally {
    await handle.sync()
    if (offset === 0) await syncDirectory(dirname(file))
  }
}

async function cut(key: string, file: string, length: number): Promise<void> {
  const { size, mode } = (await find(file)) ?? { size: 0, mode: 0 }
  if (size === length) return
  if (size < length) throw new LostBytes(`${key} has ${size} bytes; ${length} were acknowledged.`)
  if (isSealed(mode)) throw new LostBytes(`${key} is sealed with ${size} bytes; ${length} were acknowledged.`)
  await using handle = await openExisting(key, file, constants.O_RDWR)
  await handle.truncate(length)
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

const isSealed = (mode: number) => (mode & 0o777) === SEALED

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
