import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { startProcess } from '../../../test/start/processes.ts'
import { receiveBlob } from './blobs.db.ts'
import type { Database } from '../database/database.ts'
import { checkPlace, leaveDirectory, MARK, refuseMarkedBucket, settlePlace } from './installation.db.ts'
import { joinPlaces } from './open-storage.ts'
import type { Bucket } from './s3-bucket.ts'
import { openDiskStorage } from './storage-disk.ts'
import type { FileStorage } from './storage.ts'

/** A bucket for marks. Its files are in a directory. */
async function freshBucket() {
  let mark: string | null = null
  const bucket: Pick<Bucket, 'get' | 'putNew'> = {
    get: async () => (mark === null ? null : { body: Readable.from([Buffer.from(mark)]), length: 36 }),
    putNew: async (_name, bytes) => {
      if (mark !== null) return false
      mark = bytes.toString()
      return true
    },
  }
  return { bucket, files: await openDiskStorage(join(await freshDirectory(), 'files')) }
}
type TestBucket = Awaited<ReturnType<typeof freshBucket>>

/** Returns an instance: a data directory, and the bucket if one is given. */
async function instance(dataDir?: string, at?: TestBucket, main: 'disk' | 's3' = at ? 's3' : 'disk') {
  const path = dataDir ?? (await freshDirectory())
  const disk = await openDiskStorage(join(path, 'files'))
  const joined: FileStorage = at ? joinPlaces(disk, at.files, main) : disk
  const storage = { ...joined, places: { disk }, bucket: at?.bucket ?? null }
  const config = { storage: main, s3Bucket: at ? 'papers' : null, databaseUrl: 'postgres://x/y' }
  return { dataDir: path, storage, config }
}

const freshDb = async () => (await freshDatabase()).db
const store = (db: Database, storage: FileStorage) =>
  receiveBlob(db, storage, Readable.from([Buffer.from('paper')]), 100)

const OTHER_DISK =
  /^The files of this database are on the disk in .*, not in DATA_DIR \(.*\): set DATA_DIR to it\./
const STILL_ON_DISK =
  /^The files of this database are on the disk in .*: run `npm run move-storage` with it first\./
const OTHERS_DIRECTORY =
  /^DATA_DIR \(.*\) belongs to another Ringbind than the database: set DATA_DIR or DATABASE_URL/
const OTHERS_BUCKET = /^The bucket 'papers' belongs to another Ringbind, and two never share one/
const LOST = /^None of the newest files are in the store: /

describe('on the disk', () => {
  it('accepts a second start, and a data directory that was moved as a whole', async () => {
    const [db, one] = [await freshDb(), await instance()]
    await settlePlace(db, one)
    await store(db, one.storage)
    await settlePlace(db, await instance(one.dataDir))
    await checkPlace(db, { ...one, bucket: null })
  })

  it('refuses a second data directory, with and without files', async () => {
    const [db, one, two] = [await freshDb(), await instance(), await instance()]
    await settlePlace(db, one)
    await expect(settlePlace(db, two)).rejects.toThrow(OTHER_DISK)
    await store(db, one.storage)
    await expect(settlePlace(db, two)).rejects.toThrow(OTHER_DISK)
    await expect(checkPlace(db, { ...two, bucket: null })).rejects.toThrow(OTHER_DISK)
    await settlePlace(db, one)
  })

  it('refuses an empty data directory for an older database that knows three files', async () => {
    const [db, one, two] = [await freshDb(), await instance(), await instance()]
    for (let file = 0; file < 3; file++) await store(db, one.storage)
    await expect(settlePlace(db, two)).rejects.toThrow(LOST)
    await settlePlace(db, one)
  })

  it('refuses a data directory whose files are gone', async () => {
    const [db, one] = [await freshDb(), await instance()]
    await settlePlace(db, one)
    await store(db, one.storage)
    await rm(join(one.dataDir, 'files'), { recursive: true })
    const again = await instance(one.dataDir)
    await expect(settlePlace(db, again)).rejects.toThrow(LOST)
    const builtIn = { ...again, config: { ...again.config, databaseUrl: null } }
    await expect(settlePlace(db, builtIn)).rejects.toThrow(LOST)
  })

  it('refuses a second database on one data directory', async () => {
    const [db, other, one, two] = [await freshDb(), await freshDb(), await instance(), await instance()]
    await settlePlace(db, one)
    await settlePlace(other, two)
    await expect(settlePlace(other, one)).rejects.toThrow(OTHERS_DIRECTORY)
    await store(db, one.storage)
    await expect(settlePlace(await freshDb(), one)).rejects.toThrow(OTHERS_DIRECTORY)
  })

  it('accepts a restored database on the empty data directory of the previous one', async () => {
    const one = await instance()
    await settlePlace(await freshDb(), one)
    await settlePlace(await freshDb(), one)
  })

  it('writes a lost mark again beside the built-in database', async () => {
    const [db, one] = [await freshDb(), await instance()]
    const builtIn = { ...one, config: { ...one.config, databaseUrl: null } }
    await settlePlace(db, builtIn)
    const known = await db.selectFrom('installation').selectAll().execute()
    await rm(join(one.dataDir, MARK))
    await checkPlace(db, { ...builtIn, bucket: null })
    await settlePlace(db, builtIn)
    expect(await db.selectFrom('installation').selectAll().execute()).toEqual(known)
    await settlePlace(db, one)
  })

  it('reports a damaged mark', async () => {
    const [db, one] = [await freshDb(), await instance()]
    await openDiskStorage(join(one.dataDir, MARK)) // a directory
    await expect(settlePlace(db, one)).rejects.toThrow(/^Ringbind cannot read .*installation: /)
  })
})

describe('with a bucket', () => {
  it('lets several instances share a database and a bucket', async () => {
    const [db, papers] = [await freshDb(), await freshBucket()]
    const [one, two] = [await instance(undefined, papers), await instance(undefined, papers)]
    await settlePlace(db, one)
    await store(db, one.storage)
    await settlePlace(db, two)
    await settlePlace(db, one)
    await checkPlace(db, { ...two, bucket: papers.bucket })
  })

  it('refuses a second database on the bucket, and a restore into it', async () => {
    const papers = await freshBucket()
    await settlePlace(await freshDb(), await instance(undefined, papers))
    const second = await instance(undefined, papers)
    await expect(settlePlace(await freshDb(), second)).rejects.toThrow(OTHERS_BUCKET)
    await expect(refuseMarkedBucket(second)).rejects.toThrow(OTHERS_BUCKET)
    await refuseMarkedBucket(await instance(undefined, await freshBucket()))
  })

  it('refuses a second instance until the files have left the disk of the first', async () => {
    const [db, papers, first] = [await freshDb(), await freshBucket(), await instance()]
    await settlePlace(db, first)
    const { id, key } = await store(db, first.storage)
    const [one, two] = [await instance(first.dataDir, papers), await instance(undefined, papers)]
    await settlePlace(db, one)
    await expect(settlePlace(db, two)).rejects.toThrow(STILL_ON_DISK)
    await papers.files.put(key, [Buffer.from('paper')])
    await one.storage.places.disk.remove(key)
    await leaveDirectory(db, one.dataDir)
    await settlePlace(db, two)
    expect(id).toBeGreaterThan(0)
  })

  it('lets only one instance start again with files on the disk', async () => {
    const [db, papers] = [await freshDb(), await freshBucket()]
    const [one, two] = [await instance(undefined, papers), await instance(undefined, papers)]
    await settlePlace(db, one)
    await settlePlace(db, two)
    await settlePlace(db, await instance(one.dataDir, papers, 'disk'))
    await expect(settlePlace(db, await instance(two.dataDir, papers, 'disk'))).rejects.toThrow(OTHER_DISK)
    await expect(settlePlace(db, await instance(two.dataDir))).rejects.toThrow(OTHER_DISK)
  })
})

it('a second Ringbind on one database with its own DATA_DIR stops with one line', async () => {
  const { connection, db } = await freshDatabase()
  const DATABASE_URL = `postgres://ringbind@${encodeURIComponent(connection.host!)}/${connection.database}`
  const [one, two] = [await freshDirectory(), await freshDirectory()]
  const first = startProcess({ DATA_DIR: one, DATABASE_URL })
  const url = await first.url
  const second = startProcess({ DATA_DIR: two, DATABASE_URL })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(OTHER_DISK)
  expect(second.output().trimEnd().split('\n')).toHaveLength(1)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await rm(join(one, MARK))
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
  expect(await db.selectFrom('installation').select('directory_at').execute()).toEqual([
    { directory_at: expect.stringContaining(one) },
  ])
})
