import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { nameOfCopy } from '../../src/copies/keep.ts'
import { bucketAt } from '../../src/copies/second-place.server.ts'
import { startBuckets, type Buckets } from '../neighbours/buckets.ts'
import { freshDirectory } from '../directory.ts'

let buckets: Buckets
beforeAll(async () => {
  buckets = await startBuckets()
})

it('backups are kept in a bucket, each installation apart', async () => {
  const bucket = await buckets.fresh()
  const [ours, theirs] = [bucketAt(bucket, 'kopier/abc/'), bucketAt(bucket, 'kopier/def/')]
  await ours.check()
  const bytes = randomBytes(40 * 1024 * 1024 + 5) // several parts
  const file = join(await freshDirectory(), 'a.tar')
  await writeFile(file, bytes)
  const [first, second] = [1, 2].map((day) => nameOfCopy(new Date(Date.UTC(2026, 0, day)), false))
  await ours.send(file, first!)
  await ours.send(file, second!)
  await theirs.send(file, first!)
  expect(await ours.list('')).toEqual([first, second])
  expect((await buffer((await bucket.get(`kopier/abc/${first!}`))!.body)).equals(bytes)).toBe(true)
  await ours.remove('', [first!])
  expect(await ours.list('')).toEqual([second])
  expect(await theirs.list('')).toEqual([first])
  const stop = new AbortController()
  stop.abort()
  await expect(ours.send(file, first!, stop.signal)).rejects.toThrow()
  expect(await bucket.listUploads('kopier/')).toEqual([])
  expect(await ours.list('')).toEqual([second])
})
