import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, expect, it } from 'vitest'
import { openS3Storage } from '../../src/server/storage/storage-s3.ts'
import { Arrivals } from '../../src/uploads/transport/tus.db.ts'
import { announceTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import { hashOf, startBuckets, type Buckets } from '../neighbours/buckets.ts'
import { freshDatabase } from '../database.ts'
import { makeUser } from '../make.ts'

const MIB = 2 ** 20
let buckets: Buckets
beforeAll(async () => {
  buckets = await startBuckets()
}, 180_000)

it('the SHA-256 matches the bytes, even if two instances receive pieces of one file', async () => {
  const { db } = await freshDatabase()
  const storage = openS3Storage(await buckets.fresh())
  const user = await makeUser(db)
  const size = 24 * MIB + 10
  const { hashName } = await announceTemporaryFile(db, user.id, { name: 'a.pdf', size })
  const [one, two] = [new Arrivals({ db, storage }), new Arrivals({ db, storage })]
  const start = (await one.find(user.id, hashName))!
  // The first instance receives 24 MiB; after 16 MiB its sender pauses.
  async function* slow() {
    yield randomBytes(8 * MIB)
    yield randomBytes(8 * MIB)
    yield randomBytes(1)
    while ((await storage.length(start.blob.key)) < 16 * MIB) await new Promise((go) => setTimeout(go, 50))
    // The other instance acts on the offset after the first piece, as if its request had started then.
    const seen = { ...start, offset: 8 * MIB }
    await two.add(seen, Readable.from([randomBytes(8 * MIB)])).catch(() => undefined)
    yield randomBytes(8 * MIB - 1)
  }
  let at = await one.add(start, Readable.from(slow())).catch((e: Error) => e.message)
  if (typeof at === 'string') return console.log('told', at) // the first instance refused, which is right
  at = (await one.find(user.id, hashName))!
  expect(at.offset).toBe(24 * MIB)
  const end = await one.add(at, Readable.from([randomBytes(10)]))
  expect(end.offset).toBe(size)
  const row = await db.selectFrom('blobs').selectAll().where('id', '=', end.blob.id).executeTakeFirstOrThrow()
  expect(row.sha256).toBe(await hashOf(storage, row.key))
}, 60_000)
