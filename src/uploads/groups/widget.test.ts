import { expect, it } from 'vitest'
import { nextBatch } from '../transport/send-batch.ts'
import { hasThumbnail } from './thumbnail.tsx'
import { WIDGET } from '../transport/widget.ts'

it('S9.10 files are sent as they are by default', () => {
  expect(WIDGET).toEqual({
    timeoutMs: 30_000,
    parallelUploads: 2,
    maxFileBytes: 268_435_456,
    chunkBytes: 2_000_000,
    mostChunkBytes: 8_000_000,
    chunkRetries: 3,
    thumbnailSize: 200,
    thumbnailTypes: ['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp'],
  })
})

it('S9.10 pictures are recognised by extension, and a file larger than a chunk goes alone; both can be overridden', () => {
  const shown = (name: string, types = WIDGET.thumbnailTypes) =>
    hasThumbnail(name, { ...WIDGET, thumbnailTypes: types })
  expect(['a.svg', 'a.PNG', 'a.jpeg', 'a.gif', 'a.webp', 'a.jpg'].every((name) => shown(name))).toBe(true)
  expect(['a.pdf', 'png', '.png', 'a.png.pdf', 'a.tiff'].some((name) => shown(name))).toBe(false)
  expect([shown('a.tiff', ['tiff']), shown('a.png', ['tiff'])]).toEqual([true, false])
  const files = [{ size: 60 }, { size: 60 }]
  expect([nextBatch(files).length, nextBatch(files, 100).length]).toEqual([2, 1])
})
