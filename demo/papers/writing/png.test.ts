import { crc32, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { png } from './png.ts'

it('a PNG has every pixel, row by row, in chunks with checksums', () => {
  const bytes = png(2, 2, (x, y) => [x, y, 255])
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const body = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.subarray(0, 4).toString(), body.subarray(4))
    at += 12 + length
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND'])
  expect([...chunks.get('IHDR')!]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  const rows = [
    [0, 0, 0, 255, 1, 0, 255],
    [0, 0, 1, 255, 1, 1, 255],
  ]
  expect([...inflateSync(chunks.get('IDAT')!)]).toEqual(rows.flat())
})
