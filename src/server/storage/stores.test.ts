import { beforeAll, beforeEach, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { checkStores, forgetStore, rememberStore } from './stores.db.ts'

let db: Database
beforeAll(async () => {
  ;({ db } = await freshDatabase())
})
beforeEach(async () => {
  await db.deleteFrom('stores').execute()
})

const none = { s3Bucket: null, storage: 'disk' } as const
const papers = { s3Bucket: 'papers', storage: 's3' } as const
const leaving = { s3Bucket: 'papers', storage: 'disk' } as const

it('a start without the bucket, or with another, stops with one line', async () => {
  await rememberStore(db, none)
  await rememberStore(db, papers)
  await rememberStore(db, papers)
  const line = /^Ringbind has files in the bucket 'papers': set S3_BUCKET=papers \(.*\)\.$/
  await expect(rememberStore(db, none)).rejects.toThrow(line)
  await expect(rememberStore(db, { ...papers, s3Bucket: 'others' })).rejects.toThrow(line)
  await expect(checkStores(db, none)).rejects.toThrow(line)
  await checkStores(db, papers)
})

it('a bucket is forgotten once it gets no new files', async () => {
  await rememberStore(db, papers)
  expect(await forgetStore(db, 'papers')).toBe(false)
  await expect(checkStores(db, none)).rejects.toThrow()
  await rememberStore(db, leaving)
  expect(await forgetStore(db, 'papers')).toBe(true)
  await checkStores(db, none)
})

it('a bucket that was never written to is not remembered', async () => {
  await rememberStore(db, leaving)
  await checkStores(db, none)
})
