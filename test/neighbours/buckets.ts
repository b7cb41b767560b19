import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Bucket, type BucketSettings } from '../../src/server/storage/s3-bucket.ts'
import { wholeName } from '../../src/server/storage/s3-pieces.ts'
import type { Place } from '../../src/server/storage/storage.ts'
import { afterwards } from '../clean-up.ts'
import { startRadosgw, type Radosgw } from './radosgw.ts'

export type Buckets = {
  radosgw: Radosgw
  fresh: () => Promise<Bucket>
  /** Opens the same bucket again, as another instance does. */
  again: (bucket: { name: string }, more?: Partial<BucketSettings>) => Bucket
}

/** Starts an S3 server that runs until the file's tests end. */
export async function startBuckets(): Promise<Buckets> {
  const radosgw = await startRadosgw()
  afterwards(() => radosgw.stop())
  const { endpoint, region, credentials } = radosgw
  const open = (bucket: string, more: Partial<BucketSettings> = {}) =>
    new Bucket({ bucket, endpoint, region, credentials, ...more })
  return {
    radosgw,
    async fresh() {
      const name = `papers-${randomBytes(6).toString('hex')}`
      await radosgw.makeBucket(name)
      return open(name)
    },
    again: ({ name }, more) => open(name, more),
  }
}

export const from = (...chunks: (Buffer | string)[]) =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)))

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export const hashOf = async (storage: Place, key: string) => sha256(await buffer(await storage.open(key)))

/** Lists every object and unfinished upload of a key. */
export const tracesOf = async (bucket: Bucket, key: string) => [
  ...(await Array.fromAsync(bucket.list(wholeName(key)))).map(({ name }) => name),
  ...(await bucket.listUploads(wholeName(key))).map(() => 'an upload'),
]
