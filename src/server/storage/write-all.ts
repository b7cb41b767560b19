import type { FileHandle } from 'node:fs/promises'
import { passBuffer } from '../process/passed-buffers.ts'

/**
 * Writes all bytes and returns the position after the last one. Gathers chunks, because every write costs as much for one
 * as for many, and receives the next ones while it writes.
 */
export async function writeAll(
  handle: FileHandle,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  from: number,
): Promise<number> {
  let position = from
  let gathered: Buffer[] = []
  let size = 0
  let writing: Promise<void> | undefined
  let failed: { reason: unknown } | undefined

  async function writeGathered(): Promise<void> {
    await writing
    if (failed || gathered.length === 0) return
    const pieces = gathered
    gathered = []
    size = 0
    writing = writePieces(handle, pieces, position).then(
      (end) => void (position = end),
      (reason: unknown) => void (failed = { reason }),
    )
  }

  try {
    for await (const chunk of bytes) {
      passBuffer(chunk.length)
      gathered.push(chunk)
      size += chunk.length
      if (size >= GATHERED.bytes || gathered.length >= GATHERED.pieces) await writeGathered()
      if (failed) break
    }
  } finally {
    await writeGathered() // the bytes that arrived are kept, even if the stream breaks
    await writing
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
