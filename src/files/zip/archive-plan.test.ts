import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../../test/chance.ts'
import { readZip } from '../../../test/formats/zip-reader.ts'
import { piecesOf, planArchive, type ArchivePlan, type PlannedFile } from './archive-plan.ts'

const GIB = 2 ** 30
const modified = { utc: 1_700_000_000, local: 1_700_003_600 }

const contents = [0, 1, 100, 70_000, 0, 3].map((size) => randomBytes(size))
const files: PlannedFile[] = contents.map((bytes, index) => ({
  name: `Mappe/Ærø ${index}.pdf`,
  size: bytes.length,
  crc32: crc32(bytes),
  modified,
}))

/** Puts the pieces of a range together. */
function bytesOf(plan: ArchivePlan, range: { first: number; last: number }): Buffer {
  const parts = [...piecesOf(plan, range)].map((piece) =>
    'bytes' in piece ? piece.bytes : contents[piece.of]!.subarray(piece.first, piece.last + 1),
  )
  return Buffer.concat(parts)
}

const wholeOf = (plan: ArchivePlan) => ({ first: 0, last: plan.length - 1 })

const contentsPage = randomBytes(5000)
const head = {
  name: 'Indhold.html',
  size: contentsPage.length,
  crc32: crc32(contentsPage),
  modified,
  bytes: contentsPage,
}

describe.each([
  ['of files', null],
  ['with a head', head],
])('the plan of an archive %s', (_what, first) => {
  const plan = planArchive(files, first)
  const whole = bytesOf(plan, wholeOf(plan))

  it('the plan of an archive has the length of its bytes, which a reader understands', () => {
    expect(whole.length).toBe(plan.length)
    const made = first ? [{ name: first.name, bytes: contentsPage, mode: 0o100644 }] : []
    expect(readZip(whole).map(({ name, bytes, mode }) => ({ name, bytes, mode }))).toEqual([
      ...made,
      ...files.map(({ name }, index) => ({ name, bytes: contents[index], mode: 0o100644 })),
    ])
  })

  it('every range of an archive has the same bytes', () => {
    const { number: below } = chanceOf(20_251_116)
    const ranges = Array.from({ length: 400 }, () => {
      const from = below(plan.length)
      return { first: from, last: from + below(plan.length - from) }
    })
    for (const start of [...plan.starts, ...plan.listed])
      for (const from of [start - 1, start, start + 1])
        if (from >= 0 && from < plan.length)
          ranges.push({ first: from, last: plan.length - 1 }, { first: from, last: from })
    for (const range of ranges)
      expect(bytesOf(plan, range).equals(whole.subarray(range.first, range.last + 1))).toBe(true)
  })

  it('an empty file is named at its header, so that it counts as sent', () => {
    const named = [...piecesOf(plan, wholeOf(plan))].flatMap(({ of }) => of ?? [])
    expect(named).toEqual([0, 1, 2, 3, 4, 5])
  })
})

it('an archive can have more files than the old format allows, and its list comes in pieces', () => {
  const many = Array.from({ length: 70_000 }, (_, index) => ({
    name: `Bilag ${index}.txt`,
    size: 0,
    crc32: 0,
    modified,
  }))
  const plan = planArchive(many)
  const pieces = [...piecesOf(plan, wholeOf(plan))]
  const whole = Buffer.concat(pieces.map((piece) => ('bytes' in piece ? piece.bytes : Buffer.alloc(0))))
  expect(whole.length).toBe(plan.length)
  expect(Math.max(...pieces.map((piece) => ('bytes' in piece ? piece.bytes.length : 0)))).toBeLessThan(70_000)
  const read = readZip(whole)
  expect([read.length, read.at(-1)!.name]).toEqual([70_000, 'Bilag 69999.txt'])
})

it('computes the offsets of files of many GiB exactly', () => {
  const large = [3 * GIB, 5 * GIB, 10].map((size, index) => ({
    name: `${index}.bin`,
    size,
    crc32: index,
    modified,
  }))
  const plan = planArchive(large)
  const pieces = [...piecesOf(plan, wholeOf(plan))]
  const length = pieces.reduce(
    (sum, piece) => sum + ('bytes' in piece ? piece.bytes.length : piece.last - piece.first + 1),
    0,
  )
  expect(length).toBe(plan.length)
  const { first } = { first: plan.starts[2]! - 1 }
  expect([...piecesOf(plan, { first, last: first })]).toEqual([
    { of: 1, first: 5 * GIB - 1, last: 5 * GIB - 1 },
  ])
})
