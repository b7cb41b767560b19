import { expect, it } from 'vitest'
import { waitSeconds } from './sign-in-throttle.ts'

it.each([
  [0, 0],
  [9, 0],
  [10, 1],
  [11, 2],
  [15, 32],
  [16, 60],
  [100_000, 60],
])('after %i failures, with 10 free, the wait is %i s', (failures, seconds) => {
  expect(waitSeconds(failures, 10)).toBe(seconds)
})
