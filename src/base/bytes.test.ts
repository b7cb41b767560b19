import { expect, it } from 'vitest'
import { formatBytes } from './bytes.ts'

it.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [184_218, '179.9 KB'],
  [1_048_575, '1 MB'],
  [1_048_576, '1 MB'],
  [2_485_125, '2.37 MB'],
  [268_435_456, '256 MB'],
  [1024 ** 3, '1 GB'],
  [1.5 * 1024 ** 4, '1.5 TB'],
  [1024 ** 5, '1 PB'],
  [1024 ** 6, '1 EB'],
  [1024 ** 7, '1 ZB'],
  [1024 ** 8, '1 YB'],
  [5000 * 1024 ** 8, '5000 YB'],
])('S9.3 %d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

it.each([
  [1_234_567, 0, '1 MB'],
  [1_234_567, 1, '1.2 MB'],
  [1_234_567, 3, '1.177 MB'],
  [1_234_567, -1, '1 MB'],
])('S9.3 %d bytes with %d decimals are %s', (bytes, decimals, text) => {
  expect(formatBytes(bytes, decimals)).toBe(text)
})
