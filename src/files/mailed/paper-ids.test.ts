import { expect, it } from 'vitest'
import { readPaperIds, writePaperIds } from './paper-ids.ts'

it.each([
  [[39], '39'],
  [[57, 41, 39, 40], '39-41.57'],
  [[1, 2, 4, 6, 7, 8], '1-2.4.6-8'],
])('writes the papers %j as %s', (ids, text) => {
  expect(writePaperIds(ids)).toBe(text)
  expect(readPaperIds(text)).toEqual(ids.toSorted((a, b) => a - b))
})

it.each(['', 'x', '1-', '-1', '5-3', '1..2', '1-99999', '1.'.repeat(900)])(
  'refuses the papers %s',
  (text) => {
    expect(readPaperIds(text)).toBeNull()
  },
)

it('writes nothing for too many papers', () => {
  const scattered = Array.from({ length: 1000 }, (_, index) => index * 2 + 1_000_000)
  expect([writePaperIds([]), writePaperIds(scattered)]).toEqual([null, null])
})
