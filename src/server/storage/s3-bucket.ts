import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
  type $Command,
  type S3ClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3'
import type { Found } from './s3-pieces.ts'
import { StoreAway, type ByteRange } from './storage.ts'

export type BucketSettings = {
  bucket: string
  /** Null means Amazon's own. */
  endpoint: string | null
  region: string
  /** If left out, they are found as Amazon's own programs do. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  limits?: Partial<Limits>
}

/** Limits for a store's answers, in milliseconds. */
export type Limits = {
  /** The longest wait for a connection. */
  connect: number
  /** The longest time without a byte in either direction. */
  silence: number
  /** The longest time for one request in all. */
  answer: number
  /** How many times a request is tried. */
  attempts: number
}

const LIMITS: Limits = { connect: 5_000, silence: 15_000, answer: 300_000, attempts: 3 }

/** Sends requests to a bucket; the rules for pieces and wholes are in `storage-s3.ts`. */
export class Bucket {
  readonly client: S3Client
  readonly name: string
  readonly limits: Limits

  constructor({ bucket, endpoint, region, credentials, limits }: BucketSettings) {
    this.name = bucket
    this.limits = { ...LIMITS, ...limits }
    this.client = new S3Client({
      region,
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      maxAttempts: this.limits.attempts,
      // Stores other than Amazon's do not know these checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: this.limits.connect,
        socketTimeout: this.limits.silence,
        httpAgent: AGENT,
        httpsAgent: AGENT,
      },
    })
  }

  /** Lists all objects whose name begins with a prefix. */
  async *list(prefix = ''): AsyncGenerator<Found> {
    for (let from: string | undefined; ;) {
      const page = await this.#send(
        'ListObjectsV2',
        new ListObjectsV2Command({ Bucket: this.name, Prefix: prefix, ContinuationToken: from }),
      )
      for (const { Key, Size, ETag } of page.Contents ?? [])
        yield { name: Key!, size: Size!, etag: ETag ?? '' }
      if (!page.IsTruncated) return
      from = page.NextContinuationToken
    }
  }

  /** Returns an object's size, or null if there is none. */
  async find(name: string): Promise<{ size: number; write: string | undefined } | null> {
    return this.#ask('HeadObject', async (options) => {
      try {
        const head = await this.client.send(new HeadObjectCommand({ Bucket: this.name, Key: name }), options)
        return { size: head.ContentLength!, write: head.Metadata?.write }
      } catch (error) {
        if (codeOf(error) === 'NotFound') return null
        throw error
      }
    })
  }

  /** Writes an object unless it exists; returns false if it does. */
  async putNew(name: string, bytes: Buffer): Promise<boolean> {
    const write = randomUUID()
    return this.#ask('PutObject', async (options) => {
      try {
        await this.client.send(
          new PutObjectCommand({
            Bucket: this.name,
            Key: name,
            Body: bytes,
            IfNoneMatch: '*',
            Metadata: { write },
          }),
          options,
        )
        return true
      } catch (error) {
        if (!['PreconditionFailed', 'ConditionalRequestConflict'].includes(codeOf(error))) throw error
        return (await this.find(name))?.write === write // true if our first try wrote it and only its answer was lost
      }
    })
  }

  /** Writes an object, and replaces an existing one. */
  async put(name: string, bytes: Buffer): Promise<void> {
    await this.#send('PutObject', new PutObjectCommand({ Bucket: this.name, Key: name, Body: bytes }))
  }

  /** Opens an object's bytes; null if there is none. The first bytes are on their way when it returns. */
  async get(name: string, range?: { first: number; last?: number }): Promise<Answer | null> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), this.limits.answer)
    const asked = range && `bytes=${range.first}-${range.last ?? ''}`
    try {
      const { Body, ContentLength } = await this.client.send(
        new GetObjectCommand({ Bucket: this.name, Key: name, Range: asked }),
        { abortSignal: limit.signal },
      )
      return { body: Body as Readable, length: ContentLength! }
    } catch (error) {
      if (codeOf(error) === 'NoSuchKey') return null
      if (codeOf(error) === 'InvalidRange')
        throw new Error(`${name} is shorter than ${asked}.`, { cause: error })
      throw this.#away('GetObject', error)
    } finally {
      clearTimeout(timer) // the bytes themselves may take any time
    }
  }

  async remove(name: string): Promise<void> {
    await this.#send('DeleteObject', new DeleteObjectCommand({ Bucket: this.name, Key: name }))
  }

  async beginUpload(name: string): Promise<Upload> {
    const { UploadId } = await this.#send(
      'CreateMultipartUpload',
      new CreateMultipartUploadCommand({ Bucket: this.name, Key: name }),
    )
    return { name, id: UploadId! }
  }

  /** Returns the part's tag. */
  async addPart(upload: Upload, number: number, bytes: Buffer): Promise<string> {
    const { ETag } = await this.#send(
      'UploadPart',
      new UploadPartCommand({
        ...this.#ofUpload(upload),
        PartNumber: number,
        Body: bytes,
      }),
    )
    return ETag!
  }

  async copyPart(upload: Upload, number: number, from: string, range: ByteRange): Promise<string> {
    const { CopyPartResult } = await this.#send(
      'UploadPartCopy',
      new UploadPartCopyCommand({
        ...this.#ofUpload(upload),
        PartNumber: number,
        CopySource: `${this.name}/${from}`,
        CopySourceRange: `bytes=${range.first}-${range.last}`,
      }),
    )
    return CopyPartResult!.ETag!
  }

  async completeUpload(upload: Upload, tags: string[]): Promise<void> {
    const parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
    await this.#send(
      'CompleteMultipartUpload',
      new CompleteMultipartUploadCommand({
        ...this.#ofUpload(upload),
        MultipartUpload: { Parts: parts },
      }),
    )
  }

  /** Aborts an upload. Does nothing if it no longer exists. */
  async giveUp(upload: Upload): Promise<void> {
    await this.#ask('AbortMultipartUpload', async (options) => {
      try {
        await this.client.send(new AbortMultipartUploadCommand(this.#ofUpload(upload)), options)
      } catch (error) {
        if (codeOf(error) !== 'NoSuchUpload') throw error
      }
    })
  }

  /** Lists the uploads of one object that were never completed. */
  async listUploads(name: string): Promise<Upload[]> {
    const found: Upload[] = []
    for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
      const page = await this.#send(
        'ListMultipartUploads',
        new ListMultipartUploadsCommand({ Bucket: this.name, Prefix: name, ...from }),
      )
      for (const { Key, UploadId } of page.Uploads ?? [])
        if (Key === name) found.push({ name, id: UploadId! })
      if (!page.IsTruncated) return found
      from = { KeyMarker: page.NextKeyMarker!, UploadIdMarker: page.NextUploadIdMarker! }
    }
  }

  /** Throws if we cannot reach the bucket. */
  async check(): Promise<void> {
    await this.#send('HeadBucket', new HeadBucketCommand({ Bucket: this.name }))
  }

  /** Checks at the start that the bucket can be used. Throws one line for the administrator, without secrets. */
  async refuseUnlessUsable(): Promise<void> {
    try {
      await this.check()
      await this.put(PROBE, Buffer.from('x'))
    } catch (error) {
      throw new Error(`The bucket in S3_BUCKET cannot be used: ${(error as Error).message}.`, {
        cause: error,
      })
    }
  }

  #ofUpload({ name, id }: Upload) {
    return { Bucket: this.name, Key: name, UploadId: id }
  }

  async #send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    what: string,
    command: $Command<Input, Output, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  ): Promise<Output> {
    return this.#ask(what, (options) => this.client.send(command, options))
  }

  async #ask<Answered>(
    what: string,
    send: (options: { abortSignal: AbortSignal }) => Promise<Answered>,
  ): Promise<Answered> {
    try {
      return await send({ abortSignal: AbortSignal.timeout(this.limits.answer) })
    } catch (error) {
      throw this.#away(what, error)
    }
  }

  #away(what: string, error: unknown): Error {
    if (error instanceof StoreAway) return error
    return new StoreAway(`The bucket ${this.name} did not do ${what}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Written at every start, to find out then if a bucket is read-only. */
const PROBE = '.probe'

/** No limit, so that downloads to slow readers do not block others. */
const AGENT = { keepAlive: true, maxSockets: Infinity }

export type Answer = { body: Readable; length: number }

export type Upload = { name: string; id: string }

/** Returns S3's name of an error. */
function codeOf(error: unknown): string {
  return (error as Error).name
}

/** Describes an error for the log and the terminal: S3's own messages may be long and may include signed data. */
function reasonOf(error: unknown): string {
  const { name, code, $metadata } = error as Error & {
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  if (status === 403)
    return 'the store refuses the key (see AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY), status 403'
  return [code ?? name, ...(status === undefined ? [] : [`status ${status}`])].join(', ')
}
