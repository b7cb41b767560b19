import { expect, it } from 'vitest'
import { pageInfo, pageWindow, readPageInfo } from './pagination.ts'

it.each([
  [
    { page: 1, perPage: 25, total: 60, rows: 25 },
    { prev_page: null, next_page: 2, last_page: 3, from: 1, to: 25 },
  ],
  [
    { page: 2, perPage: 25, total: 60, rows: 25 },
    { prev_page: 1, next_page: 3, last_page: 3, from: 26, to: 50 },
  ],
  [
    { page: 3, perPage: 25, total: 60, rows: 10 },
    { prev_page: 2, next_page: null, last_page: 3, from: 51, to: 60 },
  ],
  [
    { page: 1, perPage: 25, total: 0, rows: 0 },
    { prev_page: null, next_page: null, last_page: 1, from: null, to: null },
  ],
  [
    { page: 9, perPage: 25, total: 60, rows: 0 },
    { prev_page: 3, next_page: null, last_page: 3, from: null, to: null },
  ],
  [
    { page: 1, perPage: 25, total: 25, rows: 25 },
    { prev_page: null, next_page: null, last_page: 1, from: 1, to: 25 },
  ],
])('page info of %j', (page, info) => {
  expect(pageInfo(page)).toEqual({
    ...info,
    current_page: page.page,
    first_page: 1,
    per_page: 25,
    total: page.total,
  })
})

it('page info is read from the top level or from meta', () => {
  const info = pageInfo({ page: 2, perPage: 25, total: 60, rows: 25 })
  expect(readPageInfo({ ...info })).toMatchObject(info)
  expect(readPageInfo({ meta: info })).toBe(info)
})

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 10, [1, 2, 3, null, 10]],
  [3, 10, [1, 2, 3, 4, 5, null, 10]],
  [4, 10, [1, 2, 3, 4, 5, 6, null, 10]],
  [5, 10, [1, 2, 3, 4, 5, 6, 7, null, 10]],
  [6, 12, [1, null, 4, 5, 6, 7, 8, null, 12]],
  [10, 10, [1, null, 8, 9, 10]],
  [99, 10, [1, null, 10]],
])('page %d of %d links to %j', (current, last, pages) => {
  expect(pageWindow(current, last)).toEqual(pages)
})
