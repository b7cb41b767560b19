import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { makeUser } from '../make.ts'
import { addPendingBlob, receiveBlob, removeBlob } from '../../src/server/storage/blobs.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import { joinPlaces } from '../../src/server/storage/open-storage.ts'
import { openDiskStorage } from '../../src/server/storage/storage-disk.ts'
import { newStorageKey, type Place, type FileStorage } from '../../src/server/storage/storage.ts'
import { moveStorage } from '../../src/copies/move-storage.db.ts'
import { backUp } from '../../src/copies/backup.db.ts'
import { restore } from '../../src/copies/restore.db.ts'
import type { Config } from '../../src/config.ts'
import type { Jobs } from '../../src/server/work/jobs.ts'
import { clearDirectFile, finishDirectFiles } from '../../src/uploads/transport/direct.db.ts'
import {
  announceTemporaryFile,
  receiveTemporaryFile,
  removeTemporaryFiles,
} from '../../src/uploads/transport/temporary.db.ts'
import { rememberStore } from '../../src/server/storage/stores.db.ts'

let db: Database
beforeAll(async () => {
  ;({ db } = await freshDatabase())
})
const place = async () => {
  const root = join(await freshDirectory(), 'files')
  return { root, at: await openDiskStorage(root) }
}
const open = (disk: Place, s3: Place, main: 'disk' | 's3') => ({
  ...joinPlaces(disk, s3, main),
  places: { disk, s3 },
  bucket: null,
})

it('a half-moved file on the disk is not sealed as if it were whole', async () => {
  const [disk, s3] = [(await place()).at, (await place()).at]
  const key = newStorageKey()
  await s3.put(key, [Buffer.from('whole')])
  await disk.append(key, 0, Readable.from([Buffer.from('wh')]))
  const storage = joinPlaces(disk, s3, 'disk')
  await storage.seal(key)
  expect(String(await buffer(await storage.open(key)))).toBe('whole')
})

it('bytes of an abandoned direct upload stay while a copy is made', async () => {
  const { at: storage } = await place()
  const blob = await receiveBlob(db, storage, Readable.from([randomBytes(2_000_000)]), 1e9)
  const file = join(await freshDirectory(), 'copy.tar')
  const { faults } = await backUp({ db, storage }, file, {
    inSnapshot: async () => {
      await removeBlob(db, storage, blob.id) // abandoned, after 24 hours
      await clearDirectFile({ db, storage }, blob.id, blob.key) // after 25 hours
    },
  })
  await db.deleteFrom('blobs').execute()
  expect(faults).toEqual([])
})

it('a store that hangs while uploads are deleted does not use up the database connections', async () => {
  const { at } = await place()
  const { promise: back, resolve } = Promise.withResolvers<void>()
  const storage: FileStorage = { ...at, remove: () => back }
  const user = await makeUser(db)
  const hashes: string[] = []
  for (let count = 0; count < 12; count++)
    hashes.push(
      (await receiveTemporaryFile({ db, storage }, user.id, 'a.pdf', Readable.from([Buffer.from('x')]), 9))
        .hash_name,
    )
  const removing = removeTemporaryFiles({ db, storage }, user.id, hashes)
  await new Promise((go) => setTimeout(go, 500))
  const answer = await Promise.race([
    sql`select 1`.execute(db).then(
      () => 'answered',
      (error: Error) => error.message,
    ),
    new Promise((go) => setTimeout(() => go('nothing'), 8000)),
  ])
  resolve()
  await removing
  expect(answer).toBe('answered')
})

it('a stored file with a changed mode can be read and moved', async () => {
  const [one, two] = [await place(), await place()]
  const blob = await receiveBlob(db, one.at, Readable.from([Buffer.from('paper')]), 1e9)
  await chmod(join(one.root, blob.key.slice(0, 2), blob.key.slice(2)), 0o600)
  const storage = open(one.at, two.at, 's3')
  const seen = await storage.open(blob.key).then(
    async (s) => String(await buffer(s)),
    (e: Error) => e.message,
  )
  const moved = await moveStorage({
    db,
    storage,
    dataDir: one.root,
    config: { storage: 's3', s3Bucket: 'papers' },
  })
  await db.deleteFrom('blobs').execute()
  expect([seen, moved]).toMatchObject(['paper', { blobs: 1, faults: [] }])
})

it('an instance without the bucket does not give up uploads that are in it', async () => {
  const [disk, s3] = [(await place()).at, (await place()).at]
  const user = await makeUser(db)
  const file = await announceTemporaryFile(db, user.id, {
    name: 'a.pdf',
    size: 3,
    signedType: 'text/plain',
  })
  await s3.append(file.key, 0, Readable.from([Buffer.from('abc')]))
  await rememberStore(db, { s3Bucket: 'papers', storage: 's3' }) // as the other instance does
  const config = { s3Bucket: null, storage: 'disk' } as Config
  const work = (async (
    _job: object,
    handler: (data: object, id: string, attempt: object) => Promise<void>,
  ) => {
    await handler({ hashName: file.hashName }, '', { tries: 0, isLast: true }).catch(() => undefined)
  }) as Jobs['work']
  await finishDirectFiles({ work } as Jobs, { db, storage: disk, config })
  const rows = await db
    .selectFrom('temporary_files')
    .select('hash_name')
    .where('user_id', '=', user.id)
    .execute()
  expect(rows).toHaveLength(1)
})

it('a file that is deleted at the last moment of its move does not stop the move', async () => {
  const [disk, s3] = [(await place()).at, (await place()).at]
  const blob = await receiveBlob(db, disk, Readable.from([Buffer.from('paper')]), 1e9)
  const storage = open(disk, s3, 's3')
  const seal: Place['seal'] = async (key) => {
    await removeBlob(db, storage, blob.id)
    await s3.seal(key)
  }
  const moved = moveStorage({
    db,
    dataDir: await freshDirectory(),
    storage: { ...storage, places: { disk, s3: { ...s3, seal } } },
    config: { storage: 's3', s3Bucket: 'papers' },
  })
  await expect(moved).resolves.toMatchObject({ faults: [] })
})

it('of two restores into one store, the second removes nothing of the first', async () => {
  const { at: from } = await place()
  const source = (await freshDatabase()).db
  await receiveBlob(source, from, Readable.from([randomBytes(50_000)]), 1e9)
  await receiveBlob(source, from, Readable.from([randomBytes(50_000)]), 1e9)
  const file = join(await freshDirectory(), 'copy.tar')
  await backUp({ db: source, storage: from }, file)
  const { at: storage } = await place()
  const [one, two] = [
    (await freshDatabase({ migrated: false })).db,
    (await freshDatabase({ migrated: false })).db,
  ]
  // The second has seen an empty store, and is reading its rows while the first finishes.
  let first: Promise<unknown> | undefined
  const late: FileStorage = {
    ...storage,
    async put(key, bytes) {
      await (first ??= restore({ db: one, storage }, file))
      return storage.put(key, bytes)
    },
  }
  const second = await restore({ db: two, storage: late }, file).catch((error: Error) => error.message)
  const { blobs } = {
    blobs: await one.selectFrom('blobs').select('key').where('state', '=', 'stored').execute(),
  }
  expect(blobs).toHaveLength(2)
  const kept = (await Array.fromAsync(storage.list())).map(({ key }) => key)
  expect([second, kept.sort()]).toEqual([expect.any(String), blobs.map(({ key }) => key).sort()])
  await expect(restore({ db: two, storage }, file)).rejects.toThrow('there are files in the store already')
})

it('if instances with different buckets start at the same time, only one is accepted', async () => {
  await db.deleteFrom('stores').execute()
  const ends = await Promise.allSettled(
    ['one', 'two', 'three'].map((s3Bucket) => rememberStore(db, { s3Bucket, storage: 's3' })),
  )
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
void addPendingBlob
