import { createReadStream } from 'node:fs'

export const PIECE = 1024 * 1024

export const readPieces = (file: string, signal?: AbortSignal): AsyncIterable<Buffer> =>
  createReadStream(file, { highWaterMark: PIECE, ...(signal && { signal }) })
