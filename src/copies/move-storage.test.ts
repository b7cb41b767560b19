import { createHash, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { truncate, chmod, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { addPendingBlob, finishBlob, receiveBlob, removeBlob } from '../server/storage/blobs.db.ts'
import type { Database } from '../server/database/database.ts'
import { joinPlaces, type OpenStorage } from '../server/storage/open-storage.ts'
import { openDiskStorage } from '../server/storage/storage-disk.ts'
import { newStorageKey, type Place } from '../server/storage/storage.ts'
import { checkStores, rememberStore } from '../server/storage/stores.db.ts'
import { moveStorage } from './move-storage.db.ts'

let db: Database
let roots: { disk: string; s3: string }
let disk: Place
let s3: Place
beforeAll(async () => {
  ;({ db } = await freshDatabase())
})
beforeEach(async () => {
  for (const table of ['blobs', 'stores'] as const) await db.deleteFrom(table).execute()
  roots = { disk: join(await freshDirectory(), 'files'), s3: join(await freshDirectory(), 'files') }
  disk = await openDiskStorage(roots.disk)
  s3 = await openDiskStorage(roots.s3) // a second directory stands in for a bucket
})

const open = (main: 'disk' | 's3', places = { disk, s3 }): OpenStorage => ({
  ...joinPlaces(places.disk, places.s3, main),
  places,
  bucket: null,
})
const move = (to: 'disk' | 's3', more = {}, places = { disk, s3 }) =>
  moveStorage(
    {
      db,
      storage: open(to, places),
      dataDir: dirname(roots.disk),
      config: { storage: to, s3Bucket: 'papers' },
    },
    more,
  )
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const store = (place: Place, bytes = randomBytes(50_000)) =>
  receiveBlob(db, place, Readable.from([bytes]), 1e9)
const keysOf = async (place: Place) => (await Array.fromAsync(place.list())).map(({ key }) => key).sort()
const fileOf = (root: string, key: string) => join(root, key.slice(0, 2), key.slice(2))

describe('moving', () => {
  it.each([
    ['s3', () => [disk, s3]],
    ['disk', () => [s3, disk]],
  ] as const)('moves every blob to %s, once', async (to, pick) => {
    const [from, target] = pick() as [Place, Place]
    const blobs = [await store(from), await store(from), await store(target), await store(from)]
    const keys = blobs.map(({ key }) => key).sort()
    expect(await move(to, { isTrial: true })).toMatchObject({ blobs: 3, bytes: 150_000 })
    expect(await keysOf(from)).toHaveLength(3)
    expect(await move(to)).toMatchObject({ blobs: 3, bytes: 150_000, faults: [], underWay: 0, unknown: 0 })
    expect(await keysOf(from)).toEqual([])
    expect(await keysOf(target)).toEqual(keys)
    for (const { key, sha256: hash } of blobs)
      expect(sha256(await buffer(await open(to).open(key)))).toBe(hash)
    expect(await move(to)).toMatchObject({ blobs: 0, bytes: 0 })
  })

  it('does not move uploads in progress or unknown keys', async () => {
    const { id, key } = await addPendingBlob(db)
    await disk.append(key, 0, Readable.from([Buffer.from('abc')]))
    const stranger = newStorageKey()
    await disk.put(stranger, [Buffer.from('x')])
    expect(await move('s3')).toMatchObject({ blobs: 0, underWay: 1, unknown: 1, faults: [] })
    const storage = open('s3')
    await storage.append(key, 3, Readable.from([Buffer.from('def')]))
    await finishBlob(db, storage, { id, key }, 6)
    expect(await move('s3')).toMatchObject({ blobs: 1, underWay: 0, unknown: 1 })
    expect(await keysOf(disk)).toEqual([stranger])
    expect(String(await buffer(await storage.open(key)))).toBe('abcdef')
  })

  it('names damaged files, does not move them, and moves the rest', async () => {
    const [short, flipped, good] = [await store(disk), await store(disk), await store(disk)]
    const [first, second] = [fileOf(roots.disk, short.key), fileOf(roots.disk, flipped.key)]
    for (const file of [first, second]) await chmod(file, 0o600)
    await truncate(first, 100)
    await writeFile(second, randomBytes(50_000))
    for (const file of [first, second]) await chmod(file, 0o400)
    const { blobs, faults } = await move('s3')
    expect(blobs).toBe(1)
    expect(faults).toEqual([
      `blob ${short.id}, which no file uses: it has 100 bytes, not 50000; it was left where it is`,
      `blob ${flipped.id}, which no file uses: its bytes are not what they were; it was left where it is`,
    ])
    expect(await keysOf(disk)).toEqual([short.key, flipped.key].sort())
    expect(await keysOf(s3)).toEqual([good.key])
  })

  it('continues after a killed move that left a part, the whole or wrong bytes at the new place', async () => {
    const bytes = randomBytes(50_000)
    const [part, whole, wrong] = [
      await store(disk, bytes),
      await store(disk, bytes),
      await store(disk, bytes),
    ]
    await s3.append(part.key, 0, Readable.from([bytes.subarray(0, 10_000)]))
    await s3.put(whole.key, [bytes])
    await s3.put(wrong.key, [randomBytes(50_000)])
    expect(await move('s3')).toMatchObject({ blobs: 3, faults: [] })
    expect(await keysOf(disk)).toEqual([])
    for (const { key } of [part, whole, wrong]) {
      expect(sha256(await buffer(await s3.open(key)))).toBe(sha256(bytes))
      expect((await s3.find(key))?.isWhole).toBe(true)
    }
  })

  it('keeps the good bytes if those at the old place are damaged', async () => {
    const { key, sha256: hash } = await store(s3)
    await disk.put(key, [randomBytes(50_000)])
    expect(await move('s3')).toMatchObject({ blobs: 1, faults: [] })
    expect(sha256(await buffer(await s3.open(key)))).toBe(hash)
    expect(await disk.find(key)).toBeNull()
  })

  it('leaves no bytes of a file that is deleted during the move', async () => {
    const { id, key } = await store(disk)
    const storage = open('s3')
    const put: Place['put'] = async (...call) => {
      await removeBlob(db, storage, id)
      await s3.put(...call)
    }
    expect(await move('s3', {}, { disk, s3: { ...s3, put } })).toMatchObject({ blobs: 0, faults: [] })
    expect([await disk.find(key), await s3.find(key)]).toEqual([null, null])
    const late = await store(disk)
    const after: Place['put'] = async (...call) => {
      await s3.put(...call)
      await removeBlob(db, storage, late.id)
    }
    expect(await move('s3', {}, { disk, s3: { ...s3, put: after } })).toMatchObject({ faults: [] })
    expect([await disk.find(late.key), await s3.find(late.key)]).toEqual([null, null])
  })

  it('does not remove bytes at the old place that did not arrive at the new one', async () => {
    const { key, sha256: hash } = await store(disk)
    const put: Place['put'] = async (to, bytes) => {
      await Array.fromAsync(bytes)
      await s3.put(to, [randomBytes(50_000)])
    }
    await expect(move('s3', {}, { disk, s3: { ...s3, put } })).rejects.toThrow('did not arrive')
    expect(sha256(await buffer(await disk.open(key)))).toBe(hash)
    expect(await s3.find(key)).toBeNull()
  })

  it('stops moving when told to, and continues later', async () => {
    for (let count = 0; count < 6; count++) await store(disk)
    const stop = new AbortController()
    const put: Place['put'] = async (...call) => {
      await s3.put(...call)
      stop.abort()
    }
    const places = { disk, s3: { ...s3, put } }
    await expect(move('s3', { signal: stop.signal }, places)).rejects.toThrow()
    expect(await move('s3')).toMatchObject({ faults: [] })
    expect(await keysOf(disk)).toEqual([])
    expect(await keysOf(s3)).toHaveLength(6)
  })

  it('refuses a second move while one is running', async () => {
    await store(disk)
    let second: unknown
    const put: Place['put'] = async (...call) => {
      second = await move('s3').catch((error: Error) => error.message)
      await s3.put(...call)
    }
    expect(await move('s3', {}, { disk, s3: { ...s3, put } })).toMatchObject({ blobs: 1 })
    expect(second).toBe('Files are being moved already.')
  })

  it('every file can be read at all times during a move', async () => {
    const blobs = await Promise.all(Array.from({ length: 20 }, () => store(disk)))
    const storage = open('s3')
    const moving = new AbortController()
    const reading = (async () => {
      for (let turn = 0; !moving.signal.aborted; turn++) {
        const { key, sha256: hash } = blobs[turn % blobs.length]!
        expect(sha256(await buffer(await storage.open(key)))).toBe(hash)
        expect(sha256(await storage.read(key, { first: 0, last: 49_999 }))).toBe(hash)
      }
    })()
    for (let round = 0; round < 4; round++) await move(round % 2 === 0 ? 's3' : 'disk')
    moving.abort()
    await reading
  })

  it('forgets an empty bucket that receives no new files', async () => {
    const config = { s3Bucket: 'papers', storage: 's3' } as const
    await rememberStore(db, config)
    await store(s3)
    expect(await move('disk')).toMatchObject({ blobs: 1, isLeft: false }) // Ringbind may still be writing there
    await rememberStore(db, { ...config, storage: 'disk' })
    expect(await move('disk')).toMatchObject({ blobs: 0, isLeft: true })
    await checkStores(db, { s3Bucket: null, storage: 'disk' })
  })

  it('refuses to move without a bucket', async () => {
    const storage = { ...open('disk'), places: { disk, s3: null } }
    const config = { storage: 'disk', s3Bucket: null } as const
    await expect(moveStorage({ db, storage, dataDir: dirname(roots.disk), config })).rejects.toThrow(
      'There is only the disk',
    )
  })
})
