import sharp from 'sharp'
import { expect, it } from 'vitest'
import { webpSize } from './webp-size.ts'

const picture = (alpha: number) =>
  sharp({ create: { width: 523, height: 301, channels: 4, background: { r: 9, g: 9, b: 9, alpha } } })

it.each([
  ['lossy', () => picture(1).flatten().webp()],
  ['lossless', () => picture(1).webp({ lossless: true })],
  ['extended', () => picture(0.5).webp().withMetadata()],
])('reads the size of a %s WebP', async (_kind, make) => {
  expect(webpSize(await make().toBuffer())).toEqual({ width: 523, height: 301 })
})

it('refuses a file that is not a WebP', async () => {
  expect(() => webpSize(Buffer.alloc(40))).toThrow('no WebP')
})
