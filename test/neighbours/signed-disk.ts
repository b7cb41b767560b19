import { S3Client } from '@aws-sdk/client-s3'
import type { FileStorage } from '../../src/server/storage/storage.ts'
import { openSignedPosts } from '../../src/server/storage/storage-s3-sign.ts'

/** Lets a disk sign posts as a bucket does. The test appends the bytes that a browser would send there. */
export async function withPosts(disk: FileStorage): Promise<FileStorage> {
  const client = new S3Client({
    region: 'eu-north-1',
    endpoint: 'https://lager.example',
    forcePathStyle: true,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hemmelig' },
  })
  return { ...disk, posts: await openSignedPosts(client, 'papirer', (key) => `stykke/${key}`) }
}
