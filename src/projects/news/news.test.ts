import { expect, it } from 'vitest'
import { newsLeft, newsText } from './news.ts'

it.each([
  [1, '1 ny'],
  [2, '2 nye'],
  [99, '99 nye'],
  [100, '99+ nye'],
  [5000, '99+ nye'],
])('%d new files are shown as %s', (count, text) => {
  expect(newsText(count)).toBe(text)
})

it.each([
  [3, 0, 3],
  [3, 1, 2],
  [1, 1, 0],
  [0, 1, 0],
  [99, 1, 98],
  [100, 1, 100],
])('with %d new files and %d read here, %d are left', (count, read, left) => {
  expect(newsLeft(count, read)).toBe(left)
})
