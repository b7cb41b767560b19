import type { FileHandle } from 'node:fs/promises'
import { passBuffer } from '../process/passed-buffers.ts'

/**
 * Writes all bytes and returns the position after the last one. Chunks that arrive during a write are then written
 * together.
 */
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
    writing = undefined // synchronously after the loop: the next chunk must not rely on this write
  }

  try {
    for await (const chunk of bytes) {
      if (failed) break
      passBuffer(chunk.length)
      waiting.push(chunk)
      size += chunk.length
      writing ??= writeWaiting().catch((reason: unknown) => void (failed = { reason }))
      if (size >= GATHERED.bytes || waiting.length >= GATHERED.pieces) await writing
    }
  } finally {
    await writing // the bytes that arrived are kept, even if the stream breaks
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
