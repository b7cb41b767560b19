import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { Blocks } from './blocks.ts'
import type { Bucket, Upload } from './s3-bucket.ts'
import { S3Stream, untilDifferent } from './s3-stream.ts'
import {
  LEAST_PART,
  PIECE,
  pieceName,
  planParts,
  readContents,
  readName,
  sizeOf,
  wholeName,
  type Contents,
  type Found,
  type Part,
  type Piece,
} from './s3-pieces.ts'
import { ChangedMeanwhile, LostBytes, MissingBytes, StoreAway, type Place } from './storage.ts'

/** More would take memory and not be faster. */
const PARTS_AT_ONCE = 2
const READ_AT_ONCE = 4
const REMOVED_AT_ONCE = 16
/** How long a browser has to follow the link to the store. */
const SIGNED_SECONDS = 60

/**
 * Stores bytes as objects of a bucket. `ab/cdef…` is a whole and never changes. Each append writes a piece,
 * `ab/cdef….<offset>`, only if there is none yet, so that one of two simultaneous writers gets an error. Sealing
 * joins the pieces into the whole.
 */
export function openS3Storage(bucket: Bucket): Place {
  return {
    put: (key, bytes) => putWhole(bucket, key, bytes),

    append: (key, offset, bytes) => append(bucket, key, offset, bytes),

    async cut(key, length) {
      const there = await look(bucket, key)
      if (there.whole && there.length === length) return
      const kept = there.pieces.filter(({ offset, size }) => offset + size <= length)
      if (there.whole || sizeOf(kept) !== length)
        throw new LostBytes(`${key} has ${there.length} bytes; ${length} were acknowledged.`)
      await removeAll(bucket, [...there.pieces.slice(kept.length), ...there.strays])
    },

    async length(key) {
      return (await look(bucket, key)).length
    },

    async seal(key) {
      const name = wholeName(key)
      const before = await look(bucket, key)
      if (!before.whole) {
        if (before.length === 0) throw new MissingBytes(key)
        try {
          await makeWhole(bucket, key, before.pieces)
        } catch (error) {
          if (!(await look(bucket, key)).whole) throw error // fine if another request sealed it and removed our pieces
        }
      }
      await removeAll(bucket, [...before.pieces, ...before.strays])
      await giveUpAll(bucket, name)
    },

    async open(key, range, sha256) {
      const stream = await S3Stream.open(bucket, key, range)
      return sha256 === undefined ? stream : untilDifferent(stream, sha256)
    },

    async read(key, range) {
      const stream = await S3Stream.open(bucket, key, range)
      return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
    },

    async remove(key) {
      const name = wholeName(key)
      await giveUpAll(bucket, name)
      await removeAll(bucket, await Array.fromAsync(bucket.list(name)))
    },

    async *list() {
      for await (const { key, contents } of byKey(bucket)) yield { key, size: contents.length }
    },

    async isEmpty() {
      return (await byKey(bucket).next()).done === true
    },

    check: () => bucket.check(),

    async find(key) {
      const { whole, pieces, length } = await look(bucket, key)
      return whole || pieces.length > 0 ? { size: length, isWhole: whole !== null } : null
    },

    async sign(key, { type, disposition, cacheControl }) {
      const name = wholeName(key)
      if (!(await bucket.find(name))) throw new MissingBytes(key) // the store would answer with its own error page
      const command = new GetObjectCommand({
        Bucket: bucket.name,
        Key: name,
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: cacheControl,
      })
      return getSignedUrl(bucket.client, command, { expiresIn: SIGNED_SECONDS })
    },
  }
}

async function look(bucket: Bucket, key: string): Promise<Contents> {
  return readContents(await Array.fromAsync(bucket.list(wholeName(key))))
}

async function append(
  bucket: Bucket,
  key: string,
  offset: number,
  bytes: AsyncIterable<Buffer>,
): Promise<number> {
  const before = await look(bucket, key)
  if (before.whole) throw sealed(key)
  if (offset > before.length)
    throw new LostBytes(`${key} has ${before.length} bytes; nothing can be written at ${offset}.`)
  // Another request has appended since. If we replaced its bytes, it would hash its own and we would store ours.
  if (offset < before.length) throw new ChangedMeanwhile(key)
  await removeAll(bucket, before.strays)
  const blocks = new Blocks(PIECE)
  let end = offset
  for await (const block of blocks.of(bytes)) {
    if (!(await bucket.putNew(pieceName(key, end), block))) throw new ChangedMeanwhile(key)
    end += block.length
    blocks.giveBack(block)
  }
  // Another request may have sealed or cut it meanwhile.
  const after = end > offset ? await look(bucket, key) : before
  if (after.whole) throw sealed(key)
  if (after.length < end) throw new ChangedMeanwhile(key)
  return end
}

async function putWhole(
  bucket: Bucket,
  key: string,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const name = wholeName(key)
  const blocks = new Blocks(LEAST_PART)
  const source = blocks.of(bytes)
  try {
    const { value: first = Buffer.alloc(0) } = await source.next()
    const { value: second } = await source.next()
    if (!second) {
      if (!(await bucket.putNew(name, first))) throw new ChangedMeanwhile(key)
      return
    }
    if (await bucket.find(name)) throw new ChangedMeanwhile(key)
    const send = (block: Buffer) => async (upload: Upload, number: number) => {
      const tag = await bucket.addPart(upload, number, block)
      blocks.giveBack(block)
      return tag
    }
    await compose(bucket, name, async function* () {
      yield send(first)
      yield send(second)
      for await (const block of source) yield send(block)
    })
  } finally {
    await source.return(undefined)
  }
}

const sealed = (key: string) => new Error(`${key} is sealed and takes no more bytes.`)

async function makeWhole(bucket: Bucket, key: string, pieces: Piece[]): Promise<void> {
  const name = wholeName(key)
  if (sizeOf(pieces) <= PIECE) {
    await bucket.putNew(name, await join(bucket, pieces)) // false if another request has sealed it
    return
  }
  await compose(
    bucket,
    name,
    async function* () {
      for (const part of planParts(pieces)) yield sendPart(bucket, part)
    },
    async () => {
      // Not every store guarantees that it copies the object we mean.
      const now = await look(bucket, key)
      const isSame = pieces.every(({ etag, size }, index) => {
        const piece = now.pieces[index]
        return piece?.etag === etag && piece.size === size
      })
      if (now.whole || now.pieces.length !== pieces.length || !isSame) throw new ChangedMeanwhile(key)
    },
  )
}

type SendPart = (upload: Upload, number: number) => Promise<string>

const sendPart =
  (bucket: Bucket, part: Part): SendPart =>
  async (upload, number) =>
    'joined' in part
      ? bucket.addPart(upload, number, await join(bucket, part.joined))
      : bucket.copyPart(upload, number, part.copied.name, part)

async function join(bucket: Bucket, pieces: Piece[]): Promise<Buffer> {
  const read = async ({ name, size }: Piece) => {
    const stream = await S3Stream.openObject(bucket, name, { first: 0, last: size - 1 })
    if (!stream) throw new StoreAway(`The bucket ${bucket.name} has lost ${name}.`)
    return Array.fromAsync(stream as AsyncIterable<Buffer>)
  }
  const all: Buffer[] = []
  for (let from = 0; from < pieces.length; from += READ_AT_ONCE)
    all.push(...(await Promise.all(pieces.slice(from, from + READ_AT_ONCE).map(read))).flat())
  return Buffer.concat(all)
}

/** Writes one object from several parts, a few at a time. */
async function compose(
  bucket: Bucket,
  name: string,
  parts: () => AsyncIterable<SendPart>,
  confirm?: () => Promise<void>,
): Promise<void> {
  const upload = await bucket.beginUpload(name)
  const tags: string[] = []
  const running = new Set<Promise<void>>()
  let failed: { reason: unknown } | undefined
  let number = 0
  try {
    try {
      for await (const send of parts()) {
        const mine = ++number
        const sending: Promise<void> = send(upload, mine)
          .then(
            (tag) => void (tags[mine - 1] = tag),
            (reason: unknown) => void (failed ??= { reason }),
          )
          .finally(() => running.delete(sending))
        running.add(sending)
        while (running.size >= PARTS_AT_ONCE) await Promise.race(running)
        if (failed) break
      }
    } finally {
      await Promise.all(running) // a part that is added to an aborted upload would stay
    }
    if (failed) throw failed.reason
    await confirm?.()
  } catch (error) {
    await bucket.giveUp(upload).catch(() => undefined) // if this fails, `remove` aborts it
    throw error
  }
  try {
    await bucket.completeUpload(upload, tags)
  } catch (error) {
    // A retry after a lost answer finds nothing to complete.
    if (!(await bucket.find(name).catch(() => null))) throw error
  }
}

async function removeAll(bucket: Bucket, found: Found[]): Promise<void> {
  const waiting = found.map(({ name }) => name)
  const removeSome = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await bucket.remove(name)
  }
  await Promise.all(Array.from({ length: Math.min(REMOVED_AT_ONCE, waiting.length) }, removeSome))
}

async function giveUpAll(bucket: Bucket, name: string): Promise<void> {
  for (const upload of await bucket.listUploads(name)) await bucket.giveUp(upload)
}

/**
 * Groups the bucket's objects by key. The list is sorted by name, so a key's objects follow each other. Skips objects
 * that are not ours.
 */
async function* byKey(bucket: Bucket): AsyncGenerator<{ key: string; contents: Contents }> {
  let current: { key: string; found: Found[] } | undefined
  for await (const each of bucket.list()) {
    const key = readName(each.name)?.key
    if (key === undefined) continue
    if (current && current.key !== key) {
      yield { key: current.key, contents: readContents(current.found) }
      current = undefined
    }
    current ??= { key, found: [] }
    current.found.push(each)
  }
  if (current) yield { key: current.key, contents: readContents(current.found) }
}
