import { open, type FileHandle } from 'node:fs/promises'
import { DamagedArchive } from './archive.server.ts'
import { BLOCK, decodeHeader, isZero, paddingOf } from './tar.server.ts'

export type Entry = {
  name: string
  size: number
  /** The entry's bytes, which can be read once. Bytes not read are skipped. */
  chunks: AsyncIterable<Buffer>
}

const CHUNK = 256 * 1024

/** Reads a copy from start to end. Throws `DamagedArchive` at anything that differs from how it was written. */
export async function* readArchive(file: string, signal?: AbortSignal): AsyncGenerator<Entry> {
  await using handle = await openArchive(file)
  const { size: total } = await handle.stat()
  let position = 0
  let ahead = Buffer.alloc(0) // the bytes read from `position` on
  let last = 'its beginning'

  async function take(most: number, where: string): Promise<Buffer> {
    if (ahead.length === 0) {
      signal?.throwIfAborted()
      const bytes = Buffer.allocUnsafeSlow(CHUNK) // a new one: the reader may still use the last
      const { bytesRead } = await handle.read(bytes, 0, CHUNK, position)
      if (bytesRead === 0)
        throw new DamagedArchive(
          total < BLOCK
            ? 'This is no copy that Ringbind has made.'
            : `The archive ends early: after ${total} bytes, ${where}.`,
        )
      ahead = bytes.subarray(0, bytesRead)
    }
    const taken = ahead.subarray(0, most)
    ahead = ahead.subarray(taken.length)
    position += taken.length
    return taken
  }

  function passTo(end: number): void {
    ahead = ahead.subarray(end - position) // empty if `end` lies beyond it
    position = end
  }

  async function takeAll(size: number, where: string): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = size; left > 0; left -= parts.at(-1)!.length) parts.push(await take(left, where))
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  for (;;) {
    const start = position
    const header = decodeHeader(await takeAll(BLOCK, `after ${last}`))
    if (header === undefined)
      throw new DamagedArchive(`The archive is damaged at byte ${start}, after ${last}.`)
    if (header === null) break
    const { name, size } = header
    const end = position + size
    const chunks = async function* () {
      while (position < end) yield await take(end - position, `inside ${name}`)
    }
    yield { name, size, chunks: chunks() }
    if (position < end) passTo(end)
    if (end > total) throw new DamagedArchive(`The archive ends early: after ${total} bytes, inside ${name}.`)
    const padding = paddingOf(size)
    if (padding > 0 && !isZero(await takeAll(padding, `inside ${name}`)))
      throw new DamagedArchive(`The archive is damaged at byte ${end}, after ${name}.`)
    last = name
  }
  if (!isZero(await takeAll(BLOCK, 'at its end')))
    throw new DamagedArchive(`The archive is damaged at byte ${position - BLOCK}, at its end.`)
  if (position !== total) throw new DamagedArchive(`The archive has ${total - position} bytes after its end.`)
}

/** Reads a small entry whole. */
export async function readWhole(entry: Entry, most = 256 * 1024 * 1024): Promise<Buffer> {
  if (entry.size > most) throw new DamagedArchive(`${entry.name} is too large to be what it says.`)
  const chunks = await Array.fromAsync(entry.chunks)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

async function openArchive(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
