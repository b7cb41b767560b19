import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/server/storage/s3-bucket.ts'
import { openS3Storage } from '../../src/server/storage/storage-s3.ts'
import { newStorageKey, StoreAway, type Place } from '../../src/server/storage/storage.ts'
import { from, hashOf, sha256, startBuckets, tracesOf, type Buckets } from '../neighbours/buckets.ts'
import {
  startDeafServer,
  startFaultyProxy,
  type Fault,
  type FaultyProxy,
} from '../neighbours/faulty-proxy.ts'

const MIB = 2 ** 20

let buckets: Buckets
let shared: Bucket
let proxy: FaultyProxy
beforeAll(async () => {
  buckets = await startBuckets()
  shared = await buckets.fresh()
  proxy = await startFaultyProxy(buckets.radosgw.endpoint)
}, 180_000)

describe('a store with faults', () => {
  const LIMITS = { connect: 1_000, silence: 2_000, answer: 20_000, attempts: 2 }
  const bytes = randomBytes(20_000_000)
  const whole = newStorageKey()
  let storage: Place
  beforeAll(async () => {
    storage = openS3Storage(buckets.again(shared, { endpoint: proxy.endpoint, limits: LIMITS }))
    await openS3Storage(shared).put(whole, from(bytes))
  })

  const ACTS: [string, (key: string) => Promise<unknown>][] = [
    ['put a small one', (key) => storage.put(key, from('abc'))],
    ['put a large one', (key) => storage.put(key, from(bytes))],
    ['append', (key) => storage.append(key, 0, from(bytes))],
    ['open', async () => buffer(await storage.open(whole))],
    ['read', () => storage.read(whole, { first: 10, last: 5_000_000 })],
    ['length', () => storage.length(whole)],
    ['check', () => storage.check()],
    ['list', () => Array.fromAsync(storage.list())],
  ]
  const FAULTS: Fault[] = ['status 500', 'silent', 'hangs up']

  it.each(FAULTS.flatMap((fault) => ACTS.map(([name, act]) => [fault, name, act] as const)))(
    '%s: %s ends with an error, and remove leaves nothing behind',
    { timeout: 60_000 },
    async (fault, _name, act) => {
      const key = newStorageKey()
      proxy.fault = () => fault
      await expect(act(key)).rejects.toThrow(StoreAway)
      proxy.fault = () => null
      await storage.remove(key)
      expect(await tracesOf(shared, key)).toEqual([])
    },
  )

  it.each(FAULTS)('%s: one fault does no harm', { timeout: 60_000 }, async (fault) => {
    let isFirst = true
    const once = () => (isFirst ? ((isFirst = false), fault) : null)
    for (const [, act] of ACTS) {
      isFirst = true
      proxy.fault = once
      await act(newStorageKey())
    }
    proxy.fault = () => null
  })

  it('a request without an answer is repeated and takes effect once', { timeout: 60_000 }, async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'GET', 'HEAD']) {
      const key = newStorageKey()
      const lost = new Set<string>()
      proxy.fault = (asked, url) => {
        const what = `${asked} ${url.replace(/uploadId=[^&]*/, '')}`
        if (asked !== method || lost.has(what)) return null
        lost.add(what)
        return 'answer lost'
      }
      await storage.append(key, 0, from(bytes.subarray(0, 9_000_000)))
      await storage.append(key, 9_000_000, from(bytes.subarray(9_000_000)))
      await storage.seal(key)
      expect(await hashOf(storage, key)).toBe(sha256(bytes))
      await storage.remove(key)
      await storage.put(key, from(bytes))
      expect(await hashOf(storage, key)).toBe(sha256(bytes))
      await storage.remove(key)
      proxy.fault = () => null
      expect(await tracesOf(shared, key)).toEqual([])
    }
  })

  it.each(['silent inside', 'breaks off'] as const)(
    '%s in the bytes: the rest is requested again, and it is an error if it never comes',
    { timeout: 60_000 },
    async (fault) => {
      let left = 3
      proxy.fault = (method) => (method === 'GET' && left-- > 0 ? fault : null)
      expect(await hashOf(storage, whole)).toBe(sha256(bytes))
      proxy.fault = () => fault
      const opened = storage.open(whole)
      // Each answer has some bytes: the reader gives up only on a store that sends nothing.
      proxy.fault = (method) => (method === 'GET' ? fault : null)
      const stream = await opened
      proxy.fault = () => 'status 500'
      await expect(buffer(stream)).rejects.toThrow(StoreAway)
      proxy.fault = () => null
      expect(await hashOf(storage, whole)).toBe(sha256(bytes))
    },
  )

  it('a store that accepts no connection gives an error', { timeout: 60_000 }, async () => {
    const endpoint = await startDeafServer()
    const deaf = openS3Storage(buckets.again(shared, { endpoint, limits: LIMITS }))
    await expect(deaf.check()).rejects.toThrow(StoreAway)
    await expect(deaf.put(newStorageKey(), from('x'))).rejects.toThrow(StoreAway)
  })

  it('a slow reader is not a fault of the store', { timeout: 60_000 }, async () => {
    const stream = await storage.open(whole)
    const hash = createHash('sha256')
    let chunks = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      if (chunks++ % 100 === 5) await new Promise((resolve) => setTimeout(resolve, LIMITS.silence * 2))
    }
    expect(hash.digest('hex')).toBe(sha256(bytes))
  })

  it('wrong keys or a missing bucket give one line without secrets', async () => {
    const { credentials } = buckets.radosgw
    const wrong = buckets.again(shared, { credentials: { ...credentials, secretAccessKey: 'hemmelig' } })
    const none = buckets.again({ name: 'findes-ikke' })
    await expect(wrong.refuseUnlessUsable()).rejects.toThrow(
      /^The bucket in S3_BUCKET cannot be used: The bucket papers-\w+ did not do HeadBucket: .*403\.$/,
    )
    await expect(none.refuseUnlessUsable()).rejects.toThrow(
      /^The bucket in S3_BUCKET cannot be used: The bucket findes-ikke did not do HeadBucket: .*404\.$/,
    )
  })
})

describe('a gateway that is killed', () => {
  it(
    'killing the gateway during a put, an append and an open loses nothing acknowledged',
    { timeout: 120_000 },
    async () => {
      const bucket = buckets.again(shared, { limits: { connect: 1_000, silence: 3_000, attempts: 2 } })
      const storage = openS3Storage(bucket)
      const [put, appended, read] = [newStorageKey(), newStorageKey(), newStorageKey()]
      const bytes = randomBytes(30_000_000)
      await storage.put(read, from(bytes))
      const stream = await storage.open(read)
      const killed = Promise.withResolvers<void>()
      const slowly = async function* () {
        yield bytes.subarray(0, 18_000_000)
        await killed.promise
        yield bytes.subarray(18_000_000)
      }
      const ends = [
        storage.put(put, slowly()),
        storage.append(appended, 0, slowly()),
        killed.promise.then(() => buffer(stream)),
      ].map((end) => end.then(() => null).catch((error: Error) => error))
      await expect.poll(() => storage.length(appended)).toBe(16 * MIB)
      await buckets.radosgw.kill()
      killed.resolve()
      for (const error of await Promise.all(ends)) expect(error).toBeInstanceOf(StoreAway)
      await expect(storage.check()).rejects.toThrow(StoreAway)
      await buckets.radosgw.start()
      await storage.check()
      expect(await storage.find(put)).toBeNull()
      await storage.remove(put)
      expect(await tracesOf(bucket, put)).toEqual([])
      // Acknowledged bytes are there, and the upload resumes after them.
      const length = await storage.length(appended)
      expect(length).toBe(16 * MIB)
      await storage.append(appended, length, from(bytes.subarray(length)))
      await storage.seal(appended)
      expect(await hashOf(storage, appended)).toBe(sha256(bytes))
      expect(await hashOf(storage, read)).toBe(sha256(bytes))
    },
  )
})
