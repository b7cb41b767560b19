import { expect, it } from 'vitest'
import { decodeHeader, encodeHeader, paddingOf } from './tar.server.ts'

const header = (size: number) => ({ name: 'blobs/0123456789abcdef', size, mtime: 1_795_000_000 })

it.each([0, 1, 511, 512, 8 ** 11 - 1, 8 ** 11, 3e12])(
  'writes and reads the header of a file of %i bytes',
  (size) => {
    expect(decodeHeader(encodeHeader(header(size)))).toEqual(header(size))
  },
)

it('detects a header with one wrong bit', () => {
  const block = encodeHeader(header(12_345))
  for (let bit = 0; bit < block.length * 8; bit++) {
    const wrong = Buffer.from(block)
    wrong[bit >> 3]! ^= 1 << (bit & 7)
    expect(decodeHeader(wrong)).toBeUndefined()
  }
})

it('reads zeros as the end of the archive', () => {
  expect(decodeHeader(Buffer.alloc(512))).toBeNull()
})

it.each([
  [0, 0],
  [1, 511],
  [512, 0],
  [513, 511],
])('pads %i bytes with %i', (size, padding) => {
  expect(paddingOf(size)).toBe(padding)
})

it.each(['', 'a b', 'æ', 'x'.repeat(101)])('refuses the name %j', (name) => {
  expect(() => encodeHeader({ name, size: 0, mtime: 0 })).toThrow('Not a name')
})
