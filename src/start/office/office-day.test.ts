import { expect, it } from 'vitest'
import { countText, monthsAround } from './office-day.ts'

it.each([
  [0, '0'],
  [500, '500'],
  [501, 'mere end 500'],
])('%i is counted as %s', (count, text) => {
  expect(countText(count)).toBe(text)
})

it('lists twelve months around a day, across New Year and including empty ones', () => {
  const months = monthsAround('2026-11-30', [
    { month: '2026-11', count: 3 },
    { month: '2027-02', count: 1 },
    { month: '2020-01', count: 9 },
  ])
  expect(months.map(({ month }) => month)).toEqual([
    '2026-06',
    '2026-07',
    '2026-08',
    '2026-09',
    '2026-10',
    '2026-11',
    '2026-12',
    '2027-01',
    '2027-02',
    '2027-03',
    '2027-04',
    '2027-05',
  ])
  expect(months.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0])
})
