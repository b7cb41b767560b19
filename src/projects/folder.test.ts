import { describe, expect, it } from 'vitest'
import { fitsInFileName, folderKey, moveInOrder, type FolderMove } from './folder.ts'

describe('folderKey', () => {
  it.each([
    ['Årsrapport', 'A\u030arsrapport'],
    ['Årsrapport 2020', '  Årsrapport\u00a0  2020 '],
    ['Budget', 'Bud\u200bget'],
  ])('%j and %j are the same name', (one, other) => {
    expect(folderKey(one)).toBe(folderKey(other))
  })

  it.each([
    ['Budget', 'budget'],
    ['Årsrapport', 'Aarsrapport'],
    ['Møder', 'Moder'],
  ])('%j and %j are two names', (one, other) => {
    expect(folderKey(one)).not.toBe(folderKey(other))
  })
})

it.each([
  ['Årsrapport 2020', true],
  ['Møder (2020)', false],
  ['Moms/skat', false],
  ['a\\b', false],
])('%j can be part of a file name: %s', (text, fits) => {
  expect(fitsInFileName(text)).toBe(fits)
})

describe('moveInOrder', () => {
  it.each<[number, FolderMove, number[] | null]>([
    [2, 'up', [2, 1, 3, 4]],
    [2, 'down', [1, 3, 2, 4]],
    [1, 'up', null],
    [4, 'down', null],
    [1, { after: 3 }, [2, 3, 1, 4]],
    [4, { after: 1 }, [1, 4, 2, 3]],
    [3, { after: null }, [3, 1, 2, 4]],
    [2, { after: 1 }, [1, 2, 3, 4]],
    [2, { after: 2 }, null],
    [2, { after: 9 }, null],
    [9, 'up', null],
    [9, { after: 1 }, null],
  ])('1 2 3 4 with %d moved %j is %j', (id, move, order) => {
    expect(moveInOrder([1, 2, 3, 4], id, move)).toEqual(order)
  })
})
