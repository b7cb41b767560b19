import { open, type FileHandle } from 'node:fs/promises'
import { DamagedArchive } from './archive.server.ts'
import { isEncrypted, openEncrypted } from './encryption.server.ts'
import { BLOCK, decodeHeader, isZero, paddingOf } from './tar.server.ts'

export type Entry = {
  name: string
  size: number
  /** The entry's bytes, which can be read once. Bytes not read are skipped. */
  chunks: AsyncIterable<Buffer>
}

const CHUNK = 256 * 1024

type Options = {
  signal?: AbortSignal | undefined
  /** Opens an encrypted copy. */
  key?: string | null | undefined
}

/** Reads a copy from start to end. Throws `DamagedArchive` at anything that differs from how it was written. */
export async function* readArchive(file: string, { signal, key }: Options = {}): AsyncGenerator<Entry> {
  await using handle = await openArchive(file)
  await using opened = (await isEncrypted(handle)) ? await openEncrypted(handle, key) : null
  const total = opened?.total ?? (await handle.stat()).size
  let position = 0
  let ahead: Buffer = Buffer.alloc(0) // the bytes read from `position` on
  let last = 'its beginning'

  async function take(most: number, where: string): Promise<Buffer> {
    if (ahead.length === 0) {
      signal?.throwIfAborted()
      ahead = opened ? await opened.next() : await readAt(handle, position)
      if (ahead.length === 0)
        throw new DamagedArchive(
          total < BLOCK
            ? 'This is no copy that Ringbind has made.'
            : `The archive ends early: after ${total} bytes, ${where}.`,
        )
    }
    const taken = ahead.subarray(0, most)
    ahead = ahead.subarray(taken.length)
    position += taken.length
    return taken
  }

  async function passTo(end: number, where: string): Promise<void> {
    if (opened) while (position < end) await take(end - position, where)
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
    if (position < end) await passTo(end, `inside ${name}`)
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

/** Returns a new buffer each time: the reader may still use the last. */
async function readAt(handle: FileHandle, position: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(CHUNK)
  const { bytesRead } = await handle.read(bytes, 0, CHUNK, position)
  return bytes.subarray(0, bytesRead)
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
