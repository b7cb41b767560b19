import { expect, it } from 'vitest'
import { timeLeft } from './time-left.ts'

const all = { files: 100, bytes: 0 }
it.each([
  [0, 10_000, ''],
  [10, 1_000, ''],
  [50, 10_000, 'less than a minute left'],
  [50, 60_000, 'about 1 minute left'],
  [10, 60_000, 'about 9 minutes left'],
  [1, 120_000, 'about 3 hours left'],
  [100, 60_000, 'less than a minute left'],
])('the time left at %i of 100 files after %i ms is %j', (files, ms, text) => {
  expect(timeLeft({ files, bytes: 0 }, all, ms)).toBe(text)
})

it('counts bytes for the time left too', () => {
  const total = { files: 2, bytes: 2e9 }
  expect(timeLeft({ files: 1, bytes: 0 }, total, 4_000)).toMatch(/hours left$/)
})
