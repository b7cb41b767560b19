import { expect, it } from 'vitest'
import { eitherOf, listed, withRest } from './listed.ts'

it.each([
  [[], '', ''],
  [['a'], 'a', 'a'],
  [['a', 'b'], 'a og b', 'a eller b'],
  [['a', 'b', 'c'], 'a, b og c', 'a, b eller c'],
])('lists %j as %j and as %j', (texts, all, either) => {
  expect([listed(texts), eitherOf(texts)]).toEqual([all, either])
  expect(all).toBe(new Intl.ListFormat('da').format(texts))
  expect(either).toBe(new Intl.ListFormat('da', { type: 'disjunction' }).format(texts))
})

it.each([
  [3, undefined, ['a', 'b', 'c']],
  [2, undefined, ['a', 'b', '1 til']],
  [5, 7, ['a', 'b', 'c', '4 til']],
])('of three names at most %i of %s leaves %j', (most, total, left) =>
  expect(withRest(['a', 'b', 'c'], most, { total })).toEqual(left),
)
