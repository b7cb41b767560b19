import { describe, expect, it } from 'vitest'
import {
  centralHeader,
  centralLength,
  dosTime,
  endLength,
  endOf,
  localHeader,
  localLength,
  type ZipEntry,
} from './zip-format.ts'

const GIB = 2 ** 30
const at = (text: string) => Date.parse(text) / 1000
const entryOf = (size: number, name = 'Årsrapport.pdf'): ZipEntry => ({
  name,
  method: 'stored',
  crc32: 0xdeadbeef,
  packed: size,
  size,
  modified: { utc: at('2026-03-14T08:30:00Z'), local: at('2026-03-14T09:30:00Z') },
})

it.each([
  ['2026-03-14T09:26:53Z', [2026, 3, 14], [9, 26, 52]],
  ['1980-01-01T00:00:00Z', [1980, 1, 1], [0, 0, 0]],
  ['1970-06-01T12:00:00Z', [1980, 1, 1], [0, 0, 0]],
  ['2107-12-31T23:59:59Z', [2107, 12, 31], [23, 59, 58]],
  ['2300-01-01T00:00:00Z', [2107, 12, 31], [23, 59, 58]],
])('writes %s as a DOS time', (text, day, clock) => {
  const { date, time } = dosTime(at(text))
  expect([(date >> 9) + 1980, (date >> 5) & 15, date & 31]).toEqual(day)
  expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual(clock)
})

describe.each([
  ['an empty file', 0, 0, 20, 20],
  ['4 GiB less two bytes', 4 * GIB - 2, 0, 20, 20],
  ['4 GiB less one byte, which the old format cannot tell', 4 * GIB - 1, 0, 45, 45],
  ['20 GiB', 20 * GIB, 7, 45, 45],
  ['a small file far into an archive', 5, 4 * GIB - 1, 20, 45],
  ['20 GiB far into an archive', 20 * GIB, 90 * GIB, 45, 45],
])('%s', (_what, size, offset, localVersion, centralVersion) => {
  const entry = entryOf(size)
  const [local, central] = [localHeader(entry), centralHeader(entry, offset)].map((bytes) =>
    Buffer.from(bytes),
  )

  it('the headers have the length that was computed before', () => {
    expect([local!.length, central!.length]).toEqual([localLength(entry), centralLength(entry, offset)])
  })

  it('both headers have the sizes, the offset and the version', () => {
    expect([local!.readUInt16LE(4), central!.readUInt16LE(6)]).toEqual([localVersion, centralVersion])
    expect(readLocal(local!)).toEqual({ size, packed: size })
    expect(readCentral(central!)).toEqual({ size, packed: size, offset })
  })

  it('both headers mark the name as UTF-8', () => {
    expect([local!.readUInt16LE(6), central!.readUInt16LE(8)]).toEqual([0x0800, 0x0800])
  })
})

/** Reads the fields of a header that are too large for it from its ZIP64 field, in their order. */
function zip64(bytes: Buffer, from: number, length: number): () => number {
  for (let place = from; place < from + length; place += 4 + bytes.readUInt16LE(place + 2))
    if (bytes.readUInt16LE(place) === 1) {
      let next = place + 4
      return () => {
        next += 8
        return Number(bytes.readBigUInt64LE(next - 8))
      }
    }
  return () => NaN
}

const LARGE = 0xffffffff

function readLocal(bytes: Buffer) {
  const next = zip64(bytes, 30 + bytes.readUInt16LE(26), bytes.readUInt16LE(28))
  const [packed, size] = [bytes.readUInt32LE(18), bytes.readUInt32LE(22)]
  return { size: size === LARGE ? next() : size, packed: packed === LARGE ? next() : packed }
}

function readCentral(bytes: Buffer) {
  const next = zip64(bytes, 46 + bytes.readUInt16LE(28), bytes.readUInt16LE(30))
  const [packed, size, offset] = [20, 24, 42].map((from) => bytes.readUInt32LE(from))
  return {
    size: size === LARGE ? next() : size,
    packed: packed === LARGE ? next() : packed,
    offset: offset === LARGE ? next() : offset,
  }
}

it.each([
  ['a few files', { entries: 3, offset: 1000, length: 300 }, 22],
  ['65,534 files', { entries: 65_534, offset: 1000, length: 300 }, 22],
  ['65,535 files', { entries: 65_535, offset: 1000, length: 300 }, 98],
  ['a list after 4 GiB', { entries: 3, offset: 4 * GIB, length: 300 }, 98],
])('writes the end of an archive with %s', (_what, list, length) => {
  const end = Buffer.from(endOf(list))
  expect([end.length, endLength(list)]).toEqual([length, length])
  expect(end.readUInt16LE(length - 12)).toBe(Math.min(list.entries, 0xffff))
  if (length === 22) return
  expect(Number(end.readBigUInt64LE(32))).toBe(list.entries)
  expect(Number(end.readBigUInt64LE(40))).toBe(list.length)
  expect(Number(end.readBigUInt64LE(48))).toBe(list.offset)
  expect(Number(end.readBigUInt64LE(56 + 8))).toBe(list.offset + list.length)
})
