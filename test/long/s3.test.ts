import { randomBytes } from 'node:crypto'
import { beforeAll } from 'vitest'
import { Bucket } from '../../src/server/s3-bucket.ts'
import { openS3Storage } from '../../src/server/storage-s3.ts'
import { afterwards } from '../clean-up.ts'
import { startRadosgw, type Radosgw } from '../radosgw.ts'
import { testStorage } from '../storage-suite.ts'

let radosgw: Radosgw
beforeAll(async () => {
  radosgw = await startRadosgw()
  afterwards(() => radosgw.stop())
}, 180_000)

async function freshBucket(more: Partial<ConstructorParameters<typeof Bucket>[0]> = {}): Promise<Bucket> {
  const name = `papers-${randomBytes(6).toString('hex')}`
  await radosgw.makeBucket(name)
  const { endpoint, region, credentials } = radosgw
  return new Bucket({ bucket: name, endpoint, region, credentials, ...more })
}

testStorage('a bucket', async () => openS3Storage(await freshBucket()))
