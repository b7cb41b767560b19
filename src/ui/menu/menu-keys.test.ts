import { expect, it } from 'vitest'
import { folded, itemForKey } from './menu-keys.ts'

const TEXTS = ['Åbn', 'Omdøb', 'Flyt op', 'Flyt ned', 'Slet']

it.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 0, 1],
  ['ArrowDown', 4, 0],
  ['ArrowUp', -1, 4],
  ['ArrowUp', 0, 4],
  ['ArrowUp', 4, 3],
  ['Home', 3, 0],
  ['End', 0, 4],
  ['f', 0, 2],
  ['F', 2, 3],
  ['f', 3, 2],
  ['å', 4, 0],
  ['A\u030a'.normalize('NFC'), 4, 0],
  ['s', 4, 4],
  ['x', 0, null],
  [' ', 0, null],
  ['Enter', 0, null],
])('the key %j from %i leads to %j', (key, at, to) => {
  expect(itemForKey(key, at, TEXTS)).toBe(to)
})

it('no key leads anywhere in an empty menu', () => {
  expect(['ArrowDown', 'End', 'f'].map((key) => itemForKey(key, -1, []))).toEqual([null, null, null])
})

it('menu search ignores case and Unicode composition', () => {
  expect(folded('A\u030aRSRAPPORT')).toBe(folded('årsrapport'))
})
