import { expect, it } from 'vitest'
import { formatCount } from './counts.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [2000, '2.000'],
  [1_234_567, '1.234.567'],
])('writes the number %d as %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})
