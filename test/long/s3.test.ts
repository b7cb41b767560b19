import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/server/storage/s3-bucket.ts'
import { pieceName, wholeName } from '../../src/server/storage/s3-pieces.ts'
import { openS3Storage } from '../../src/server/storage/storage-s3.ts'
import {
  ChangedMeanwhile,
  MissingBytes,
  newStorageKey,
  type Place,
} from '../../src/server/storage/storage.ts'
import { from, hashOf, sha256, startBuckets, tracesOf, type Buckets } from '../neighbours/buckets.ts'
import { testStorage } from '../neighbours/storage-suite.ts'

const MIB = 2 ** 20

let buckets: Buckets
let shared: Bucket
beforeAll(async () => {
  buckets = await startBuckets()
  shared = await buckets.fresh()
}, 180_000)

testStorage('a bucket', async () => openS3Storage(await buckets.fresh()))

describe('a file that is appended', () => {
  it.each([
    ['in pieces of 2 MB', 31_000_000, 2_000_000],
    ['in pieces of 8 MiB', 40 * MIB + 7, 8 * MIB],
    ['in pieces of all sizes', 30_000_001, 0],
    ['in one piece', 20_000_000, 20_000_000],
    ['in one small piece', 1, 1],
  ])('appending %s makes one whole object, and leaves nothing else', async (_name, size, each) => {
    const storage = openS3Storage(shared)
    const [key, bytes] = [newStorageKey(), randomBytes(size)]
    for (let at = 0, turn = 0; at < size; turn++) {
      const end = Math.min(size, at + (each || [1, 3_000_000, 9 * MIB, 70_000, 5 * MIB][turn % 5]!))
      expect(await storage.append(key, at, from(bytes.subarray(at, end)))).toBe(end)
      at = end
    }
    expect(await storage.length(key)).toBe(size)
    await expect(storage.open(key)).rejects.toThrow(MissingBytes)
    await storage.seal(key)
    expect(await hashOf(storage, key)).toBe(sha256(bytes))
    expect(await tracesOf(shared, key)).toEqual([wholeName(key)])
    const [first, last] = [Math.floor(size / 3), Math.floor((size * 2) / 3)]
    expect((await storage.read(key, { first, last })).equals(bytes.subarray(first, last + 1))).toBe(true)
  })

  it('one large piece, as a browser sends it, becomes one whole object', async () => {
    const storage = openS3Storage(shared)
    const [key, bytes] = [newStorageKey(), randomBytes(140 * MIB)]
    await shared.put(pieceName(key, 0), bytes)
    expect(await storage.length(key)).toBe(bytes.length)
    await storage.seal(key)
    expect(await hashOf(storage, key)).toBe(sha256(bytes))
    expect(await tracesOf(shared, key)).toEqual([wholeName(key)])
  })

  it('a file may have thousands of pieces', { timeout: 120_000 }, async () => {
    const bucket = await buckets.fresh()
    const storage = openS3Storage(bucket)
    const key = newStorageKey()
    const bytes = randomBytes(1100 * 7)
    for (let at = 0; at < 1100; at += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => (at + index) * 7).map((offset) =>
          bucket.putNew(pieceName(key, offset), bytes.subarray(offset, offset + 7)),
        ),
      )
    expect(await storage.length(key)).toBe(bytes.length)
    expect(await Array.fromAsync(storage.list())).toEqual([{ key, size: bytes.length }])
    await storage.seal(key)
    expect(await hashOf(storage, key)).toBe(sha256(bytes))
    expect(await tracesOf(bucket, key)).toEqual([wholeName(key)])
  })
})

/** Makes every object wait before it is written. */
function holdPuts(bucket: Bucket, wait: () => Promise<void>): void {
  bucket.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'PutObjectCommand') await wait()
        return next(args)
      },
    { step: 'initialize' },
  )
}

describe('two writers at once', () => {
  it('of two writers that append at the same place one is refused, and the bytes of the other are there', async () => {
    for (let round = 0; round < 10; round++) {
      // Both read the length before either writes.
      const both = Promise.withResolvers<void>()
      let waiting = 0
      const [one, other] = [1, 2].map(() => {
        const bucket = buckets.again(shared)
        holdPuts(bucket, async () => {
          waiting++
          if (waiting === 2) both.resolve()
          await both.promise
        })
        return openS3Storage(bucket)
      }) as [Place, Place]
      const storage = openS3Storage(shared)
      const key = newStorageKey()
      await storage.append(key, 0, from('begin'))
      const ends = await Promise.allSettled([
        one.append(key, 5, from('A'.repeat(100_000))),
        other.append(key, 5, from('B'.repeat(100_000))),
      ])
      const won = ends.flatMap(({ status }, index) => (status === 'fulfilled' ? ['AB'[index]!] : []))
      const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []))
      expect(won).toHaveLength(1)
      expect(lost[0]).toBeInstanceOf(ChangedMeanwhile)
      await storage.seal(key)
      expect(String(await storage.read(key, { first: 0, last: 5 }))).toBe(`begin${won[0]}`)
      expect((await storage.find(key))?.size).toBe(100_005)
    }
  })

  it('two writers that seal together make one whole object', { timeout: 120_000 }, async () => {
    for (const size of [3_000_000, 25_000_000])
      for (let round = 0; round < 5; round++) {
        const [key, bytes] = [newStorageKey(), randomBytes(size)]
        const storage = openS3Storage(shared)
        for (let at = 0; at < size; at += 2_000_000)
          await storage.append(key, at, from(bytes.subarray(at, at + 2_000_000)))
        const others = [1, 2].map(() => openS3Storage(buckets.again(shared)))
        await Promise.all([storage, ...others].map((each) => each.seal(key)))
        expect(await hashOf(storage, key)).toBe(sha256(bytes))
        expect(await tracesOf(shared, key)).toEqual([wholeName(key)])
        await storage.remove(key)
        expect(await tracesOf(shared, key)).toEqual([])
      }
  })

  it('an append that comes after the seal is refused, and changes nothing', async () => {
    const slow = buckets.again(shared)
    const [storage, late] = [openS3Storage(shared), openS3Storage(slow)]
    const key = newStorageKey()
    await storage.append(key, 0, from('abc'))
    const go = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    holdPuts(slow, async () => {
      arrived.resolve()
      await go.promise
    })
    const appending = late.append(key, 3, from('def'))
    await arrived.promise
    await storage.seal(key)
    go.resolve()
    await expect(appending).rejects.toThrow('is sealed')
    expect(String(await storage.read(key, { first: 0, last: 2 }))).toBe('abc')
    expect(await storage.length(key)).toBe(3)
    await storage.seal(key)
    expect(await tracesOf(shared, key)).toEqual([wholeName(key)])
  })
})

/** Opens a bucket whose process dies at a call: before the call or after it. */
function openDyingBucket(atCall: number, when: 'before' | 'after'): { bucket: Bucket; calls: () => number } {
  const bucket = buckets.again(shared, { limits: { attempts: 1 } })
  let calls = 0
  bucket.client.middlewareStack.add(
    (next) => async (args) => {
      calls++
      if (calls > atCall || (calls === atCall && when === 'before')) throw new Error('the process is dead')
      const answer = await next(args)
      if (calls >= atCall) throw new Error('the process is dead')
      return answer
    },
    { step: 'initialize' },
  )
  return { bucket, calls: () => calls }
}

describe('a process that dies at any call', () => {
  it.each(['before', 'after'] as const)(
    'a process that dies in a seal (%s it) does no harm',
    { timeout: 240_000 },
    async (when) => {
      for (const size of [3_000_000, 13_000_000]) {
        const bytes = randomBytes(size)
        for (let atCall = 1; ; atCall++) {
          const key = newStorageKey()
          const storage = openS3Storage(shared)
          for (let at = 0; at < size; at += 3_000_000)
            await storage.append(key, at, from(bytes.subarray(at, at + 3_000_000)))
          const { bucket } = openDyingBucket(atCall, when)
          const isDone = await openS3Storage(bucket)
            .seal(key)
            .then(
              () => true,
              () => false,
            )
          expect(await storage.length(key)).toBe(size)
          await storage.seal(key)
          expect(await hashOf(storage, key)).toBe(sha256(bytes))
          expect(await tracesOf(shared, key)).toEqual([wholeName(key)])
          await storage.remove(key)
          if (isDone) break
        }
      }
    },
  )

  it('a process that dies in an append does no harm', { timeout: 240_000 }, async () => {
    const bytes = randomBytes(20_000_000)
    for (let atCall = 1; ; atCall++) {
      const key = newStorageKey()
      const storage = openS3Storage(shared)
      await storage.append(key, 0, from(bytes.subarray(0, 3_000_000)))
      const { bucket } = openDyingBucket(atCall, 'after')
      const isDone = await openS3Storage(bucket)
        .append(key, 3_000_000, from(bytes.subarray(3_000_000)))
        .then(
          () => true,
          () => false,
        )
      // Earlier bytes are stored; the rest is sent again.
      const length = await storage.length(key)
      expect(length).toBeGreaterThanOrEqual(3_000_000)
      await storage.append(key, length, from(bytes.subarray(length)))
      await storage.seal(key)
      expect(await hashOf(storage, key)).toBe(sha256(bytes))
      await storage.remove(key)
      expect(await tracesOf(shared, key)).toEqual([])
      if (isDone) break
    }
  })

  it('a process that dies in a put leaves nothing behind after a remove', { timeout: 240_000 }, async () => {
    const bytes = randomBytes(25_000_000)
    for (let atCall = 1; ; atCall++) {
      const key = newStorageKey()
      const storage = openS3Storage(shared)
      const { bucket } = openDyingBucket(atCall, 'after')
      const isDone = await openS3Storage(bucket)
        .put(key, from(bytes))
        .then(
          () => true,
          () => false,
        )
      if (isDone) expect(await hashOf(storage, key)).toBe(sha256(bytes))
      await storage.remove(key)
      expect(await tracesOf(shared, key)).toEqual([])
      if (isDone) break
    }
  })
})

it('a stream that breaks during a put leaves nothing behind', async () => {
  const key = newStorageKey()
  const storage = openS3Storage(shared)
  const breaking = Readable.from(
    (async function* () {
      for (let count = 0; count < 20; count++) yield randomBytes(1_000_000)
      throw new Error('the connection broke')
    })(),
  )
  await expect(storage.put(key, breaking)).rejects.toThrow('the connection broke')
  expect(await tracesOf(shared, key)).toEqual([])
})

it('passes 300 MB through without holding them in memory', { timeout: 120_000 }, async () => {
  const storage = openS3Storage(shared)
  const block = randomBytes(MIB)
  const held = () => process.memoryUsage().arrayBuffers
  const before = held()
  let most = 0
  const key = newStorageKey()
  const count = 300
  await storage.put(
    key,
    (async function* () {
      for (let number = 0; number < count; number++) {
        most = Math.max(most, held() - before)
        yield Buffer.from(block)
      }
    })(),
  )
  const expected = createHash('sha256')
  for (let number = 0; number < count; number++) expected.update(block)
  const hash = createHash('sha256')
  await pipeline(await storage.open(key), async (bytes: AsyncIterable<Buffer>) => {
    for await (const chunk of bytes) {
      most = Math.max(most, held() - before)
      hash.update(chunk)
    }
  })
  expect(hash.digest('hex')).toBe(expected.digest('hex'))
  expect(most / MIB).toBeLessThan(96)
  await storage.remove(key)
})
