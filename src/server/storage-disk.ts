import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncDirectory } from './sync-directory.ts'
import { MissingBytes, type Storage } from './storage.ts'

const SEALED = 0o400

const FANS = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/** Files under `root`, fanned out by the key's first two characters. */
export async function openDiskStorage(root: string): Promise<Storage> {
  await makeFans(root)

  const fileOf = (key: string) => {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`Not a storage key: ${key}`)
    return join(root, key.slice(0, 2), key.slice(2))
  }

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await using handle = await open(file, 'wx', 0o600)
      await writeAll(handle, bytes, 0)
      await seal(handle)
      await syncDirectory(dirname(file))
    },

    async append(key, offset, bytes) {
      const file = fileOf(key)
      await using handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)
      const { size, mode } = await handle.stat()
      if ((mode & 0o777) === SEALED) throw new Error(`${key} is sealed and takes no more bytes.`)
      if (offset > size) throw new Error(`${key} has ${size} bytes; nothing can be written at ${offset}.`)
      await handle.truncate(offset)
      try {
        return await writeAll(handle, bytes, offset)
      } finally {
        await handle.sync()
        if (offset === 0) await syncDirectory(dirname(file))
      }
    },

    async length(key) {
      return (await find(fileOf(key)))?.size ?? 0
    },

    async seal(key) {
      await using handle = await openExisting(key, fileOf(key), constants.O_RDONLY)
      await seal(handle)
    },

    async open(key, range) {
      const handle = await openExisting(key, fileOf(key), constants.O_RDONLY)
      return handle.createReadStream({
        highWaterMark: 256 * 1024,
        ...(range && { start: range.first, end: range.last }),
      })
    },

    async remove(key) {
      const file = fileOf(key)
      await rm(file, { force: true })
      await syncDirectory(dirname(file))
    },

    async isEmpty() {
      for (const fan of FANS) if ((await readdir(join(root, fan))).length > 0) return false
      return true
    },

    async check() {
      const probe = join(root, '.probe')
      await writeFile(probe, 'x', { mode: 0o600 })
      await rm(probe, { force: true })
    },
  }
}

/** All of them before the first file, so that a file's name is safe when its own directory is. */
async function makeFans(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const there = new Set(await readdir(root))
  const missing = FANS.filter((fan) => !there.has(fan)) // a restored copy may lack the empty ones
  if (missing.length === 0) return
  for (const fan of missing) await mkdir(join(root, fan), { mode: 0o700 })
  await syncDirectory(root)
  await syncDirectory(dirname(root))
}

/** Answers the position after the last byte. */
async function writeAll(handle: FileHandle, bytes: Readable, from: number): Promise<number> {
  let position = from
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    for (let written = 0; written < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position)
      written += bytesWritten
      position += bytesWritten
    }
  }
  return position
}

async function seal(handle: FileHandle): Promise<void> {
  await handle.chmod(SEALED)
  await handle.sync()
}

async function openExisting(key: string, file: string, flags: number): Promise<FileHandle> {
  try {
    return await open(file, flags)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new MissingBytes(key) : error
  }
}

async function find(file: string) {
  try {
    return await stat(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
