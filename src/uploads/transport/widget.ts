/** How files are sent: S9.10. Each value can be overridden. */
export type Widget = {
  /** How long a transfer may stand still before the connection counts as broken. */
  timeoutMs: number
  parallelUploads: number
  maxFileBytes: number
  /** Larger files are sent in pieces of this size; smaller ones are sent together. */
  chunkBytes: number
  /** On a quick connection, pieces grow to this size. */
  mostChunkBytes: number
  chunkRetries: number
  /** The width and height of a thumbnail. */
  thumbnailSize: number
  thumbnailTypes: readonly string[]
}

export const WIDGET: Widget = {
  timeoutMs: 30_000,
  parallelUploads: 2,
  maxFileBytes: 256 * 1024 * 1024,
  chunkBytes: 2_000_000,
  mostChunkBytes: 8_000_000,
  chunkRetries: 3,
  thumbnailSize: 200,
  thumbnailTypes: ['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp'],
}
