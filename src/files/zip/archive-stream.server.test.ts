import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../../test/formats/zip-reader.ts'
import { MissingBytes, type ByteRange } from '../../server/storage/storage.ts'
import { planArchive } from './archive-plan.ts'
import { openArchive, type Sending, type StoredPart } from './archive-stream.server.ts'

/** An archive of some files, over a storage in memory that counts what is read. Reading a piece takes so many seconds of its clock. */
function made(contents: Buffer[], more: Partial<Sending<StoredPart>> = {}, secondsEach = 0) {
  const files = contents.map((bytes, index) => ({
    name: `${index}.bin`,
    size: bytes.length,
    crc32: crc32(bytes),
    modified: { utc: 0, local: 0 },
    blob: { id: index, key: String(index) },
  }))
  const plan = planArchive(files)
  const seen = {
    recorded: [] as string[],
    checks: 0,
    reading: 0,
    mostReading: 0,
    opened: 0,
    closed: 0,
    time: 0,
  }
  const sending: Sending<StoredPart> = {
    storage: {
      read: async (key: string, { first, last }: ByteRange) => {
        seen.time += secondsEach * 1000
        seen.reading += last - first + 1
        seen.mostReading = Math.max(seen.mostReading, seen.reading)
        await new Promise(setImmediate)
        seen.reading -= last - first + 1
        return contents[Number(key)]!.subarray(first, last + 1)
      },
      open: async (key: string, { first, last }: ByteRange = { first: 0, last: 0 }) => {
        seen.opened++
        const stream = Readable.from(
          (function* () {
            for (let at = first; at <= last; at += 100_000) {
              seen.time += secondsEach * 1000
              yield contents[Number(key)]!.subarray(at, Math.min(at + 100_000, last + 1))
            }
          })(),
        )
        return stream.once('close', () => seen.closed++)
      },
    },
    check: async () => void seen.checks++,
    record: async (sent) => void seen.recorded.push(...sent.map(({ name }) => name)),
    onFault: () => undefined,
    now: () => seen.time,
    ...more,
  }
  const open = (part = { first: 0, last: plan.length - 1 }) => openArchive(plan, part, sending)
  return { plan, seen, open, sending }
}

const some = (many: number, size: number) => Array.from({ length: many }, () => randomBytes(size))

describe('an archive that is sent', () => {
  it('sends all bytes of files of any size, and records every file once', async () => {
    const contents = [0, 1, 5000, 512 * 1024, 512 * 1024 + 1, 3_000_000, 0].map((size) => randomBytes(size))
    const { open, seen } = made(contents)
    const entries = readZip(await buffer(open()))
    expect(entries.map(({ bytes }) => bytes)).toEqual(contents)
    expect(seen.recorded.toSorted()).toEqual(contents.map((_, index) => `${index}.bin`))
    expect([seen.opened, seen.closed]).toEqual([2, 2])
  })

  it('reads some files ahead, but no more than a few MB', async () => {
    const { open, seen } = made(some(100, 400_000))
    const stream = open()
    await once(stream, 'readable')
    expect(seen.mostReading).toBeGreaterThan(2_000_000)
    await buffer(stream)
    expect(seen.mostReading).toBeLessThan(5_000_000)
  })

  it('stops reading when the client does not receive', async () => {
    const { open, seen } = made(some(200, 100_000))
    const stream = open()
    await once(stream, 'readable')
    for (let round = 0; round < 100; round++) await new Promise(setImmediate)
    expect(seen.recorded.length + seen.reading).toBe(0)
    stream.destroy()
    await once(stream, 'close')
    expect(seen.recorded.length).toBeLessThan(60)
  })

  it('checks the right between files, within large ones, and before the end', async () => {
    const within = made([randomBytes(5_000_000)], {}, 1)
    await buffer(within.open())
    expect(within.seen.checks).toBeGreaterThan(10)
    const between = made(some(200, 10), {}, 1)
    await buffer(between.open())
    expect(between.seen.checks).toBeGreaterThan(1)
    const quick = made(some(20, 10))
    await buffer(quick.open())
    expect(quick.seen.checks).toBe(1)
  })
})

describe('an archive that may not go on', () => {
  it.each([
    ['while small files are sent', some(3000, 20_000), 3],
    ['within a large file', [randomBytes(60_000_000)], 3],
    ['at its end', some(3, 10), 1],
  ])('fails if the right ends %s', async (_what, contents, lastCheck) => {
    let checks = 0
    const check = async () => {
      if (++checks >= lastCheck) throw new Error('no longer seen')
    }
    const { open, plan } = made(contents, { check }, lastCheck === 1 ? 0 : 1)
    let length = 0
    const read = async () => {
      for await (const chunk of open() as AsyncIterable<Buffer>) length += chunk.length
    }
    await expect(read()).rejects.toThrow('no longer seen')
    expect(length).toBeLessThan(lastCheck === 1 ? plan.length : plan.length / 2)
  })

  it('fails if the sent files cannot be recorded', async () => {
    const { open } = made(some(3, 10), { record: () => Promise.reject(new Error('no database')) })
    await expect(buffer(open())).rejects.toThrow('no database')
  })

  it.each([
    ['other bytes', (bytes: Buffer) => Promise.resolve(Buffer.alloc(bytes.length)), 'other bytes'],
    ['no bytes', () => Promise.reject(new MissingBytes('x')), 'no bytes'],
  ])('fails at a file with %s, and names it', async (_what, readAs, message) => {
    const contents = some(5, 1000)
    const faults: string[] = []
    const { sending, plan } = made(contents, { onFault: ({ name }) => faults.push(name) })
    const { read } = sending.storage
    sending.storage.read = (key, range) => (key === '3' ? readAs(contents[3]!) : read(key, range))
    await expect(buffer(openArchive(plan, { first: 0, last: plan.length - 1 }, sending))).rejects.toThrow(
      message,
    )
    expect(faults).toEqual(['3.bin'])
  })

  it('records what was sent before the client left, and closes what it read', async () => {
    const { open, seen } = made([randomBytes(10), randomBytes(9_000_000), randomBytes(10)])
    const stream = open()
    for await (const chunk of stream as AsyncIterable<Buffer>) if (chunk.length > 50_000) break
    await expect.poll(() => seen.recorded).toEqual(['0.bin', '1.bin'])
    await expect.poll(() => [seen.opened, seen.closed]).toEqual([1, 1])
  })
})
