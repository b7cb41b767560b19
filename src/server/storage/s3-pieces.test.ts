import { describe, expect, it } from 'vitest'
import {
  pieceName,
  planParts,
  readContents,
  readName,
  wholeName,
  type Part,
  type Piece,
} from './s3-pieces.ts'

const KEY = 'ab0123456789abcdef0123456789abcd'
const WHOLE = 'ab/0123456789abcdef0123456789abcd'
const MIB = 2 ** 20

describe('names', () => {
  it('keys are the same as on the disk, with an offset for appended pieces', () => {
    expect(wholeName(KEY)).toBe(WHOLE)
    expect(pieceName(KEY, 0)).toBe(`${WHOLE}.000000000000000`)
    expect(pieceName(KEY, 2_000_000)).toBe(`${WHOLE}.000000002000000`)
  })

  it.each([
    [WHOLE, { key: KEY, offset: null }],
    [`${WHOLE}.000000002000000`, { key: KEY, offset: 2_000_000 }],
    [`${WHOLE}.2000000`, null],
    [`${WHOLE}/`, null],
    [`x${WHOLE}`, null],
    [WHOLE.toUpperCase(), null],
    ['.probe', null],
    ['backups/2026.tar', null],
  ])('reads the key %s', (name, read) => {
    expect(readName(name)).toEqual(read)
  })

  it.each(['', '../../etc/passwd', KEY.toUpperCase(), `${KEY}0`])('refuses the key %j', (key) => {
    expect(() => wholeName(key)).toThrow('Not a storage key')
    expect(() => pieceName(key, 0)).toThrow('Not a storage key')
  })
})

const at = (offset: number, size: number) => ({ name: pieceName(KEY, offset), size, etag: `e${offset}` })
const whole = { name: WHOLE, size: 7, etag: 'w' }

describe('the contents of a key', () => {
  it.each([
    ['nothing', [], { whole: null, pieces: [], strays: [], length: 0 }],
    ['the whole', [whole], { whole, pieces: [], strays: [], length: 7 }],
    ['one piece', [at(0, 3)], { pieces: [{ offset: 0 }], length: 3 }],
    ['pieces, in any order', [at(3, 4), at(0, 3)], { pieces: [{ offset: 0 }, { offset: 3 }], length: 7 }],
    ['a hole', [at(0, 3), at(4, 4)], { pieces: [{ offset: 0 }], strays: [{ offset: 4 }], length: 3 }],
    ['overlapping pieces', [at(0, 3), at(2, 4), at(3, 1)], { strays: [{ offset: 2 }], length: 4 }],
    ['no beginning', [at(3, 4)], { pieces: [], strays: [{ offset: 3 }], length: 0 }],
    ['an empty piece', [at(0, 0)], { pieces: [], strays: [{ offset: 0 }], length: 0 }],
    [
      'the whole, with a piece that it was made of',
      [whole, at(0, 3)],
      { whole, pieces: [{ offset: 0 }], length: 7 },
    ],
  ])('finds in a key: %s', (_name, found, contents) => {
    expect(readContents(found)).toMatchObject(contents)
  })
})

describe('parts', () => {
  const row = (...sizes: number[]): Piece[] =>
    sizes.map((size, index) => ({ ...at(index, size), offset: index }))
  const told = (part: Part) =>
    'joined' in part
      ? part.joined.map(({ size }) => size / MIB)
      : `${part.first / MIB}–${(part.last + 1) / MIB}`

  it.each([
    ['large pieces are copied', [8, 8, 3], ['0–8', '0–8', [3]]],
    [
      'small neighbours are joined to at least five',
      [2, 2, 2, 2, 2],
      [
        [2, 2, 2],
        [2, 2],
      ],
    ],
    ['a small piece is joined with its neighbour', [2, 8, 8], [[2, 8], '0–8']],
    ['a single small piece is the last part', [3], [[3]]],
    ['exactly five is enough', [5, 5], ['0–5', '0–5']],
    ['a very large piece is copied in several parts', [256], ['0–128', '128–256']],
    ['nothing', [], []],
  ])('plans the parts: %s', (_name, sizes, parts) => {
    expect(planParts(row(...sizes.map((size) => size * MIB))).map(told)).toEqual(parts)
  })

  it('parts are never too many or too small for S3, and hold everything in order', () => {
    const sizes = Array.from({ length: 40_000 }, (_, index) => ((index * 7919) % 8) * MIB + 1)
    const parts = planParts(row(...sizes))
    expect(parts.length).toBeLessThanOrEqual(10_000)
    const lengthOf = (part: Part) =>
      'joined' in part ? part.joined.reduce((sum, { size }) => sum + size, 0) : part.last - part.first + 1
    expect(parts.slice(0, -1).every((part) => lengthOf(part) >= 5 * MIB)).toBe(true)
    expect(
      parts.flatMap((part) => ('joined' in part ? part.joined : [part.copied])).map((p) => p.size),
    ).toEqual(sizes)
  })
})
