import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { addPendingBlob, finishBlob, purgeBlobs, receiveBlob, removeBlob } from './blobs.db.ts'
import type { Database } from '../database/database.ts'
import { TooLarge } from './measure.ts'
import { openDiskStorage } from './storage-disk.ts'
import type { FileStorage } from './storage.ts'

let db: Database
let storage: FileStorage
beforeAll(async () => {
  ;({ db } = await freshDatabase())
  storage = await openDiskStorage(await freshDirectory())
})
beforeEach(async () => {
  await db.deleteFrom('blobs').execute()
})

const LIMIT = 1_000_000
const from = (...chunks: (Buffer | string)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
const rows = () => db.selectFrom('blobs').selectAll().execute()
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const sumsOf = (bytes: Buffer | string) => ({ sha256: sha256(bytes), crc32: crc32(bytes) })

describe('receiveBlob', () => {
  it('measures and stores in one pass', async () => {
    const bytes = randomBytes(300_000)
    const blob = await receiveBlob(db, storage, from(bytes.subarray(0, 7), bytes.subarray(7)), LIMIT)
    expect(blob).toMatchObject({ size: 300_000, ...sumsOf(bytes), type: 'application/octet-stream' })
    expect((await buffer(await storage.open(blob.key))).equals(bytes)).toBe(true)
    expect(await rows()).toMatchObject([
      { id: blob.id, key: blob.key, state: 'stored', size: 300_000, ...sumsOf(bytes) },
    ])
  })

  it('keeps the blob pending while bytes arrive', async () => {
    let during: unknown
    const stream = Readable.from(
      (async function* () {
        during = await rows()
        yield Buffer.from('x')
      })(),
    )
    await receiveBlob(db, storage, stream, LIMIT)
    expect(during).toMatchObject([{ state: 'pending', size: null }])
  })

  it('accepts a file of exactly the limit, and refuses one byte more without leaving anything behind', async () => {
    expect(await receiveBlob(db, storage, from('12345'), 5)).toMatchObject({ size: 5 })
    await db.deleteFrom('blobs').execute()
    await expect(receiveBlob(db, storage, from('123', '456'), 5)).rejects.toThrow(TooLarge)
    expect(await rows()).toEqual([])
  })

  it('leaves nothing behind if the stream breaks', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('abc')
        throw new Error('the connection broke')
      })(),
    )
    await expect(receiveBlob(db, storage, broken, LIMIT)).rejects.toThrow('the connection broke')
    expect(await rows()).toEqual([])
  })

  it('fails and leaves nothing behind if the store is full', async () => {
    const full = { ...storage, put: () => Promise.reject(new Error('ENOSPC')) }
    await expect(receiveBlob(db, full, from('abc'), LIMIT)).rejects.toThrow('ENOSPC')
    expect(await rows()).toEqual([])
  })

  it.each([
    ['%PDF-1.7\n%âãÏÓ\n', 'application/pdf'],
    ['Kære investor\r\n\tæøå\n', 'text/plain'],
    ['<html><script>alert(1)</script>', 'text/html'],
    [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
    [Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
    [Buffer.from([0x61, 0xff, 0x62]), 'application/octet-stream'],
    [`${'x'.repeat(65_535)}æ`, 'text/plain'],
  ])('finds the type in the bytes: %j', async (bytes, type) => {
    expect(await receiveBlob(db, storage, from(bytes), LIMIT)).toMatchObject({ type })
  })
})

it('finishes a blob that was sent in pieces', async () => {
  const blob = await addPendingBlob(db)
  await storage.append(blob.key, 0, from('%PDF-1.7\n'))
  await storage.append(blob.key, 9, from('rest'))
  expect(await finishBlob(db, storage, blob, 13)).toMatchObject({
    size: 13,
    ...sumsOf('%PDF-1.7\nrest'),
    type: 'application/pdf',
  })
  expect(await rows()).toMatchObject([{ state: 'stored' }])
})

it.each(['%PDF-1.7', 'x', '%PDF-1.7'.padEnd(100_000)])(
  'reads only the beginning of a blob if its checksums are known',
  async (text) => {
    const blob = await addPendingBlob(db)
    await storage.append(blob.key, 0, from(text))
    const closed: FileStorage = { ...storage, open: () => Promise.reject(new Error('opened')) }
    expect(await finishBlob(db, closed, blob, text.length, { sums: sumsOf(text) })).toMatchObject({
      size: text.length,
      ...sumsOf(text),
      type: text === 'x' ? 'text/plain' : 'application/pdf',
    })
  },
)

it('does not mark a blob as stored that was removed meanwhile', async () => {
  const blob = await addPendingBlob(db)
  await storage.append(blob.key, 0, from('abc'))
  await db.updateTable('blobs').set({ state: 'removing' }).execute()
  await expect(finishBlob(db, storage, blob, 3)).rejects.toThrow('removed')
})

it.each([2, 4])('does not mark 3 bytes as stored if %i were announced', async (announced) => {
  const blob = await addPendingBlob(db)
  await storage.append(blob.key, 0, from('abc'))
  for (const sums of [undefined, sumsOf('abc')])
    await expect(finishBlob(db, storage, blob, announced, { sums })).rejects.toThrow()
  expect(await rows()).toMatchObject([{ state: 'pending', size: null }])
})

it('two instances that finish the same blob at once both succeed', async () => {
  const blob = await addPendingBlob(db)
  await storage.append(blob.key, 0, from('abc'))
  const both = await Promise.all([1, 2, 3].map(() => finishBlob(db, storage, blob, 3)))
  const { key } = blob
  for (const each of both) expect(each).toMatchObject({ id: blob.id, key, size: 3, ...sumsOf('abc') })
  expect(await rows()).toMatchObject([{ state: 'stored' }])
})

it('removes the bytes and the row of a blob', async () => {
  const { id, key } = await receiveBlob(db, storage, from('abc'), LIMIT)
  await removeBlob(db, storage, id)
  expect(await rows()).toEqual([])
  await expect(storage.open(key)).rejects.toThrow()
})

it('purges blobs that crashes left behind, and none in use', async () => {
  const stored = await receiveBlob(db, storage, from('stored'), LIMIT)
  const removing = await receiveBlob(db, storage, from('removing'), LIMIT)
  await db.updateTable('blobs').set({ state: 'removing' }).where('id', '=', removing.id).execute()
  const young = await addPendingBlob(db)
  const old = await addPendingBlob(db)
  await storage.append(old.key, 0, from('half'))
  await db
    .updateTable('blobs')
    .set({ created_at: sql`now() - interval '49 hours'` })
    .where('id', '=', old.id)
    .execute()
  expect(await purgeBlobs(db, storage)).toBe(2)
  expect(new Set((await rows()).map(({ id }) => id))).toEqual(new Set([stored.id, young.id]))
  await expect(storage.open(removing.key)).rejects.toThrow()
  expect(await storage.length(old.key)).toBe(0)
})

it('purges the other blobs if one cannot be removed', async () => {
  const [first, second] = [await addPendingBlob(db), await addPendingBlob(db)]
  await db.updateTable('blobs').set({ state: 'removing' }).execute()
  const stubborn: FileStorage = {
    ...storage,
    remove: (key) => (key === first.key ? Promise.reject(new Error('EIO')) : storage.remove(key)),
  }
  await expect(purgeBlobs(db, stubborn)).rejects.toThrow('EIO')
  expect((await rows()).map(({ id }) => id)).toEqual([first.id])
  expect(second.id).not.toBe(first.id)
})

it('releases the sender if the storage fails at once, and the storage if the sender fails', async () => {
  const bytes = from('x'.repeat(1000))
  const closed = { ...storage, put: () => Promise.reject(new Error('EMFILE')) }
  await expect(receiveBlob(db, closed, bytes, LIMIT)).rejects.toThrow('EMFILE')
  expect(bytes.destroyed).toBe(true)
  const keys: string[] = []
  const slow: FileStorage = {
    ...storage,
    async put(key, stream) {
      keys.push(key)
      await new Promise((resolve) => setTimeout(resolve, 100))
      return storage.put(key, stream)
    },
  }
  const broken = new Readable({ read: () => undefined })
  setTimeout(() => broken.destroy(new Error('gone')), 20)
  await expect(receiveBlob(db, slow, broken, LIMIT)).rejects.toThrow(/gone|Premature|aborted/)
  expect(await storage.length(keys[0]!)).toBe(0)
  expect(await rows()).toEqual([])
})

it('the table refuses a stored blob without size, SHA-256 and type', async () => {
  await expect(
    db
      .insertInto('blobs')
      .values({ key: 'a', state: 'stored', size: null, sha256: null, type: null })
      .execute(),
  ).rejects.toThrow(/violates check constraint/)
})
