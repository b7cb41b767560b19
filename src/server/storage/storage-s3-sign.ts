import type { S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { newStorageKey, type SignedPosts } from './storage.ts'

/** The most that S3 takes in one upload. */
const MOST_BYTES = 5 * 1024 ** 3

/**
 * Signs uploads from browsers. `nameOf` returns the name of a key's first piece, so that uploads are sealed like our
 * own pieces.
 */
export async function openSignedPosts(
  client: S3Client,
  bucket: string,
  nameOf: (key: string) => string,
): Promise<SignedPosts> {
  const sign: SignedPosts['sign'] = async (key, { least, most, type, seconds }) => {
    const { url, fields } = await createPresignedPost(client, {
      Bucket: bucket,
      Key: nameOf(key),
      Expires: seconds,
      Fields: { 'Content-Type': type },
      Conditions: [['content-length-range', least, most]],
    })
    return { postEndpoint: url, fields }
  }
  const { postEndpoint } = await sign(newStorageKey(), { least: 1, most: 1, type: 'text/plain', seconds: 1 })
  return { origin: new URL(postEndpoint).origin, mostBytes: MOST_BYTES, sign }
}
