import type { FileHandle } from 'node:fs/promises'

/** Answers the position after the last byte. What comes while some is being written is written after it, together. */
export async function writeAll(
  handle: FileHandle,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  from: number,
): Promise<number> {
  let position = from
  let waiting: Buffer[] = []
  let size = 0
  let writing: Promise<void> | undefined
  let failed: { reason: unknown } | undefined

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const pieces = waiting
      waiting = []
      size = 0
      position = await writePieces(handle, pieces, position)
    }
    writing = undefined // in the same breath: what comes next must not rely on this one
  }

  try {
    for await (const chunk of bytes) {
      if (failed) break
      waiting.push(chunk)
      size += chunk.length
      writing ??= writeWaiting().catch((reason: unknown) => void (failed = { reason }))
      if (size >= GATHERED.bytes || waiting.length >= GATHERED.pieces) await writing
    }
  } finally {
    await writing // what came is kept, also when no more comes
  }
  if (failed) throw failed.reason
  return position
}

const GATHERED = { bytes: 256 * 1024, pieces: 256 }

async function writePieces(handle: FileHandle, pieces: Buffer[], from: number): Promise<number> {
  const end = from + pieces.reduce((sum, { length }) => sum + length, 0)
  let { bytesWritten: written } = await handle.writev(pieces, from)
  if (from + written === end) return end
  const all = Buffer.concat(pieces)
  while (from + written < end)
    written += (await handle.write(all, written, all.length - written, from + written)).bytesWritten
  return end
}
