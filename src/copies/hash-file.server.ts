import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export const PIECE = 1024 * 1024

export const readPieces = (file: string, signal?: AbortSignal): AsyncIterable<Buffer> =>
  createReadStream(file, { highWaterMark: PIECE, ...(signal && { signal }) })

/** Returns the SHA-256 of a file. */
export async function hashFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of readPieces(file, signal)) hash.update(piece)
  return hash.digest('hex')
}
