import { expect, it } from 'vitest'
import { compareNewFiles, isSameSet, movedBetween } from './order.ts'

it.each([
  [[1, 2, 3, 4], [1, 2, 3, 4], 0],
  [[1, 2, 3, 4], [4, 1, 2, 3], 1],
  [[1, 2, 3, 4], [2, 3, 4, 1], 1],
  [[1, 2, 3, 4], [1, 3, 2, 4], 1],
  [[1, 2, 3, 4], [2, 1, 4, 3], 2],
  [[1, 2, 3, 4], [4, 3, 2, 1], 3],
  [[7], [7], 0],
  [[], [], 0],
])('the order %j changed to %j moves %d files', (now, next, count) => {
  const moved = movedBetween(now, next)
  expect(moved.size).toBe(count)
  const staying = (ids: number[]) => ids.filter((id) => !moved.has(id))
  expect(staying(next)).toEqual(staying(now))
})

it('moves only one file when one of a thousand is moved', () => {
  const now = Array.from({ length: 1000 }, (_, index) => index + 1)
  const next = now.toSpliced(700, 1).toSpliced(20, 0, 701)
  expect([...movedBetween(now, next)]).toEqual([701])
})

it('sorts files that are added together by year, highest first and none last, then by Danish name', () => {
  const files: [name: string, period?: string][] = [
    ['Ældre', '2024'],
    ['Bilag 10', '2025-Q4'],
    ['Bilag 2', '2025'],
    ['Åben'],
    ['Zebra'],
    ['Uden'],
    ['Aalborg', '2024'],
    ['Øster', '2024'],
    ['Budget', '2027'],
  ]
  const sorted = files.map(([name, period]) => ({ name, period: period ?? null })).toSorted(compareNewFiles)
  expect(sorted.map(({ name }) => name)).toEqual([
    'Budget',
    'Bilag 2',
    'Bilag 10',
    'Ældre',
    'Øster',
    'Aalborg',
    'Uden',
    'Zebra',
    'Åben',
  ])
})

it.each([
  [[1, 2], [2, 1], true],
  [[1, 2], [1, 2, 3], false],
  [[1, 2, 3], [1, 2], false],
  [[1, 1], [1, 1], false],
  [[1, 2], [1, 1], false],
  [[1, 2], [1, 4], false],
])('whether %j and %j have the same ids: %s', (one, other, answer) => {
  expect(isSameSet(one, other)).toBe(answer)
})
