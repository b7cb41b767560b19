import { expect, it } from 'vitest'
import { reuse } from './reuse.ts'

const row = (id: number, name = `Fil ${id}`) => ({ id, name, marks: ['a'] })

it('returns the old object if nothing has changed', () => {
  const before = { total: 2, data: [row(1), row(2)], none: null }
  expect(reuse(before, structuredClone(before))).toBe(before)
})

it('reuses unchanged rows at any position', () => {
  const before = { data: [row(1), row(2), row(3)] }
  const next = reuse(before, { data: [row(4), row(3), row(1, 'Andet'), row(2)] })
  expect(next).toEqual({ data: [row(4), row(3), row(1, 'Andet'), row(2)] })
  expect(next.data[1]).toBe(before.data[2])
  expect(next.data[3]).toBe(before.data[1])
  expect(next.data[2]?.marks).toBe(before.data[0]?.marks)
})

it.each([
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, { a: 1, b: undefined }],
  [[1, 2], [1]],
  [[], {}],
  [null, { id: 1 }],
  ['1', 1],
  [{ data: [null] }, { data: [{ id: 1 }] }],
])('compares %j with %j and returns the second', (before, next) => {
  expect(reuse<unknown>(before, next)).toEqual(next)
})

it('compares lists without ids by position', () => {
  const before = ['a', 'b']
  expect(reuse(before, ['a', 'b'])).toBe(before)
  expect(reuse(before, ['b', 'a'])).toEqual(['b', 'a'])
})

it('accepts sparse lists', () => {
  const before: (number[] | undefined)[] = []
  before[2] = [1]
  const next: (number[] | undefined)[] = []
  next[1] = [2]
  next[2] = [1]
  const made = reuse(before, next)
  expect([made[0], made[1], made[2]]).toEqual([undefined, [2], [1]])
  expect(made[2]).toBe(before[2])
  expect(reuse(before, [undefined, undefined, [1]])).toBe(before)
})
