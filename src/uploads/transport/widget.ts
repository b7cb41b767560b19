/** How files are sent: S9.10. Each can be overridden. */
export type Widget = {
  /** So long without any progress is a broken connection. */
  timeoutMs: number
  parallelUploads: number
  maxFileBytes: number
  /** What is larger than this goes in pieces of this size; what is smaller goes together with others. */
  chunkBytes: number
  chunkRetries: number
  /** Both sides of the picture of a picture. */
  thumbnailSize: number
  thumbnailTypes: readonly string[]
}

export const WIDGET: Widget = {
  timeoutMs: 30_000,
  parallelUploads: 2,
  maxFileBytes: 256 * 1024 * 1024,
  chunkBytes: 2_000_000,
  chunkRetries: 3,
  thumbnailSize: 200,
  thumbnailTypes: ['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp'],
}
