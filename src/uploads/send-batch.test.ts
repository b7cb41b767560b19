import { expect, it } from 'vitest'
import { faultsOf, nextBatch } from './send-batch.ts'

const sizes = (...all: number[]) => all.map((size) => ({ size }))

it.each([
  [sizes(10, 20, 30), 3],
  [sizes(1_500_000, 400_000, 200_000), 2],
  [sizes(5_000_000, 10), 1],
  [sizes(10, 5_000_000), 1],
  [sizes(2_000_000, 1), 1],
  [sizes(...Array<number>(60).fill(1)), 50],
  [[], 0],
])('of %j the first %d go together', (waiting, count) => {
  expect(nextBatch(waiting)).toEqual(waiting.slice(0, count))
})

it('a refusal is told at its file', () => {
  expect(faultsOf({ 'files.3': ['Tom.', 'Tom!'], files: ['Alle'], 'files.x': ['?'] })).toEqual(
    new Map([[3, 'Tom. Tom!']]),
  )
})
