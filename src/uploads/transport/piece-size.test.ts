import { expect, it } from 'vitest'
import { PieceSize } from './piece-size.ts'

it.each([
  ['begins with the least', [], 2],
  ['doubles after a quick piece', [100], 4],
  ['stays after one that is neither quick nor slow', [100, 500, 2000], 4],
  ['grows no further than the most', [1, 1, 1, 1], 8],
  ['halves after a slow piece', [100, 100, 2001], 4],
  ['is never smaller than the least', [3000, 3000], 2],
])('the size of a piece %s', (_what, times, bytes) => {
  const size = new PieceSize(2, 8)
  for (const ms of times) size.took(ms)
  expect(size.bytes).toBe(bytes)
})

it('the smallest piece follows a lost one', () => {
  const size = new PieceSize(2, 8)
  size.took(1)
  size.startOver()
  expect(size.bytes).toBe(2)
})

it('does not retry pieces that are too large for a proxy', () => {
  const size = new PieceSize(2, 8)
  expect(size.stopGrowing()).toBe(false)
  const other = new PieceSize(2, 8)
  other.took(1)
  expect(other.stopGrowing()).toBe(true)
  other.took(1)
  expect(other.bytes).toBe(2)
})
