import { createHmac } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { openSignedPosts } from './storage-s3-sign.ts'

const KEY = 'ab'.repeat(16)
const SECRET = 'meget-hemmelig'
const ALLOWED = { least: 30, most: 30, type: 'application/pdf', seconds: 3600 }

const open = (more: ConstructorParameters<typeof S3Client>[0] = {}) =>
  openSignedPosts(
    new S3Client({
      region: 'eu-north-1',
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET },
      ...more,
    }),
    'papirer',
    (key) => `${key}.0`,
  )

const policyOf = ({ Policy }: Record<string, string>) =>
  JSON.parse(Buffer.from(Policy!, 'base64').toString()) as { expiration: string; conditions: unknown[] }

describe('S7.11 a signature for a browser', () => {
  it('allows one object, one size and one type, for a limited time', async () => {
    const before = Date.now()
    const { fields } = await (await open()).sign(KEY, ALLOWED)
    const { expiration, conditions } = policyOf(fields)
    const { 'X-Amz-Date': moment, 'X-Amz-Credential': credential } = fields
    expect(conditions).toHaveLength(7)
    expect(conditions).toEqual(
      expect.arrayContaining([
        ['content-length-range', 30, 30],
        { 'Content-Type': 'application/pdf' },
        { key: `${KEY}.0` },
        { bucket: 'papirer' },
        { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256' },
        { 'X-Amz-Credential': credential },
        { 'X-Amz-Date': moment },
      ]),
    )
    expect(fields).toMatchObject({ key: `${KEY}.0`, 'Content-Type': 'application/pdf', bucket: 'papirer' })
    const lives = new Date(expiration).getTime() - before
    expect(lives).toBeGreaterThan(3598_000)
    expect(lives).toBeLessThan(3700_000)
  })

  it('signs the policy with the secret, by the rules of AWS Signature Version 4', async () => {
    const { fields } = await (await open()).sign(KEY, ALLOWED)
    const day = fields['X-Amz-Date']!.slice(0, 8)
    expect(fields['X-Amz-Credential']).toBe(`AKIDEXAMPLE/${day}/eu-north-1/s3/aws4_request`)
    const of = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const signing = [day, 'eu-north-1', 's3', 'aws4_request'].reduce<string | Buffer>(of, `AWS4${SECRET}`)
    expect(fields['X-Amz-Signature']).toBe(of(signing, fields.Policy!).toString('hex'))
    expect(JSON.stringify(fields)).not.toContain(SECRET)
  })

  it.each([
    ['https://papirer.s3.eu-north-1.amazonaws.com', {}],
    ['http://127.0.0.1:7480', { endpoint: 'http://127.0.0.1:7480', forcePathStyle: true }],
    ['https://papirer.lager.example', { endpoint: 'https://lager.example' }],
  ])('the signed address leads to %s', async (origin, more) => {
    const posts = await open(more)
    const { postEndpoint } = await posts.sign(KEY, ALLOWED)
    expect([posts.origin, new URL(postEndpoint).origin]).toEqual([origin, origin])
  })
})
