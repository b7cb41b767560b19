import { describe, expect, it } from 'vitest'
import { copiesToRemove, isCopyName, nameOfCopy } from './keep.ts'

const AT = new Date('2026-11-15T02:00:03.456Z')

it('the name of a copy has its time, and whether it has faults', () => {
  expect(nameOfCopy(AT, false)).toBe('ringbind-20261115T020003Z.tar')
  expect(nameOfCopy(AT, true)).toBe('ringbind-20261115T020003Z-with-faults.tar')
})

it.each([
  ['ringbind-20261115T020003Z.tar', true],
  ['ringbind-20261115T020003Z-with-faults.tar', true],
  ['ringbind-20261115T020003Z.tar.0a1b2c3d.partial', false],
  ['ringbind-min egen.tar', false],
  ['kopi.tar', false],
])('whether %s is the name of a copy: %s', (name, expected) => {
  expect(isCopyName(name)).toBe(expected)
})

describe('old copies', () => {
  const good = (day: number) => nameOfCopy(new Date(Date.UTC(2026, 10, day)), false)
  const bad = (day: number) => nameOfCopy(new Date(Date.UTC(2026, 10, day)), true)
  const now = new Date(Date.UTC(2026, 10, 5))
  /** The first name is that of the copy just made. */
  it.each([
    ['nothing up to the limit', [good(2), good(1)], 2, []],
    ['the oldest', [good(3), good(1), good(2)], 2, [good(1)]],
    ['all but the newest', [good(3), good(1), good(2)], 1, [good(2), good(1)]],
    ['bad copies, never the last good one', [bad(4), good(1), bad(2), bad(3)], 2, [bad(2)]],
    ['good copies older than the last good one', [bad(4), good(1), good(2), bad(3)], 1, [bad(3), good(1)]],
    ['no other files', [good(2), good(1), 'ringbind.tar', 'noter.txt'], 1, [good(1)]],
    ['nothing if there is no other', [good(1)], 1, []],
    ['neither the one just made nor one ahead of the clock', [good(5), good(9)], 1, []],
    ['the oldest beside one ahead of the clock', [good(5), good(3), good(9), good(4)], 2, [good(3)]],
    ['a bad copy, not the last good one before the clock', [bad(5), good(9), bad(3), good(4)], 1, [bad(3)]],
  ])('removes %s', (_name, names, keep, expected) => {
    expect(copiesToRemove(names, keep, { made: names[0]!, now })).toEqual(expected)
  })
})
