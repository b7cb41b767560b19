import { expect, it } from 'vitest'
import { toggleSort, type Sort } from './sort.ts'

it.each([
  [null, 'name', { column: 'name', direction: 'desc' }],
  [{ column: 'name', direction: 'desc' }, 'name', { column: 'name', direction: 'asc' }],
  [{ column: 'name', direction: 'asc' }, 'name', { column: 'name', direction: 'desc' }],
  [{ column: 'name', direction: 'asc' }, 'number', { column: 'number', direction: 'desc' }],
] as [Sort | null, string, Sort][])('toggles the sorting %j by a click on %s', (now, column, next) => {
  expect(toggleSort(now, column)).toEqual(next)
})
