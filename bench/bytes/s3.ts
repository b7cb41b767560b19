import { randomBytes } from 'node:crypto'
import { Agent, get, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { foldersByName, makeFiles, makeProject, makeUser } from '../../test/make.ts'
import { startRadosgw, type Radosgw } from '../../test/neighbours/radosgw.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'
import { signIn, type SignedIn } from '../office/sign-in.ts'

const BIG = 2 ** 30
const WARM_UP = 2 ** 27
const ROUNDS = 3
const LEAST_THROUGHPUT = 0.7
const MOST_GROWTH_MB = 67

const BUCKET = 'bench'
const EMAIL = 'bench@example.dk'

/**
 * Compares sending one large file through Ringbind to a bucket and back with the AWS SDK alone on the same server.
 */
export async function measure(): Promise<Result[]> {
  await using radosgw = await startRadosgw()
  await radosgw.makeBucket(BUCKET)
  const directory = await openThrowAway('bench')
  try {
    const settings = {
      PORT: '0',
      LOG_LEVEL: 'warn',
      REQUESTS_PER_MINUTE: '10000000',
      MAX_FILE_BYTES: String(BIG),
      TEMPORARY_BYTES_PER_USER: String(10 * BIG),
      DATA_DIR: directory.path,
      ...radosgw.env(BUCKET),
    }
    const address = await fill(settings)
    await using ringbind = await startServer('src/server.ts', settings)
    return await compare(radosgw, ringbind, await signIn(ringbind.url, EMAIL), address)
  } finally {
    directory.remove()
  }
}

/** Returns the addresses of a small file, for warming up, and of a large one. */
async function fill(settings: Record<string, string>): Promise<{ small: string; big: string }> {
  for (const [name, value] of Object.entries(settings)) if (name.startsWith('AWS_')) process.env[name] = value
  await using ringbind = await startRingbind(readConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const { db, storage } = ringbind
  await makeUser(db, { role: 'employee', email: EMAIL })
  const project = (await makeProject(db)).id
  const folder = (await foldersByName(db, project)).Budget!
  const store = async (name: string, size: number) => {
    const { id } = await receiveBlob(db, storage, Readable.from(blocks(size)), Infinity)
    const [made] = await makeFiles(db, folder, [{ name, blobId: id }])
    return fileUrls.download({ project }, made!.path)
  }
  return { small: await store('Mindre.bin', WARM_UP), big: await store('Stor.bin', BIG) }
}

async function compare(
  { endpoint, region, credentials }: Radosgw,
  ringbind: ServerProcess,
  headers: SignedIn,
  { small, big }: { small: string; big: string },
): Promise<Result[]> {
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const object = (size: number) => ({ Bucket: BUCKET, Key: `alone-${size}` })
  const ways = {
    up: (size: number) => rateOf(size, () => send(ringbind.url, headers, size)),
    down: (size: number) =>
      rateOf(size, () => fetchWhole(ringbind.url + (size === BIG ? big : small), headers, size)),
    upAlone: (size: number) =>
      rateOf(size, () =>
        new Upload({ client, params: { ...object(size), Body: Readable.from(blocks(size)) } }).done(),
      ),
    downAlone: (size: number) =>
      rateOf(size, async () => {
        const { Body } = await client.send(new GetObjectCommand(object(size)))
        await count(Body as Readable, size)
      }),
  }
  const forget = async (hash: string) => {
    await fetch(ringbind.url + urls.temporaryFile(hash), {
      method: 'DELETE',
      headers: { ...headers, 'tus-resumable': '1.0.0' },
    })
  }
  const before = memoryOf([ringbind.pid], 'RSS')
  const rates: Record<keyof typeof ways, number[]> = { up: [], upAlone: [], down: [], downAlone: [] }
  const growths = { up: 0, down: 0 }
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, memoryOf([ringbind.pid], 'RSS'))), 300)
  try {
    for (let round = 0; round <= ROUNDS; round++)
      for (const way of ['up', 'upAlone', 'down', 'downAlone'] as const) {
        most = 0
        const { rate, answer } = await ways[way](round === 0 ? WARM_UP : BIG)
        if (way === 'up') await forget(answer as string)
        if (round === 0) continue
        rates[way].push(rate)
        if (way === 'up' || way === 'down') growths[way] = Math.max(growths[way], most - before)
      }
  } finally {
    clearInterval(watch)
    for (const size of [WARM_UP, BIG]) await client.send(new DeleteObjectCommand(object(size)))
  }
  return [
    ...line('upload of 1 GiB to S3', rates.up, rates.upAlone, growths.up, before),
    ...line('download of 1 GiB from S3', rates.down, rates.downAlone, growths.down, before),
  ]
}

function line(what: string, ours: number[], alone: number[], growth: number, before: number): Result[] {
  const [rate, rateAlone] = [median(ours), median(alone)]
  return [
    {
      what,
      value: rate,
      unit: 'MB/s',
      isRate: true,
      limit: { what: 'the AWS SDK alone', value: rateAlone },
      aim: { times: 1 / LEAST_THROUGHPUT },
    },
    {
      what: `${what}: memory (RSS) that ${ROUNDS} of them take at most`,
      value: growth / 1e6,
      unit: 'MB',
      note: `on top of ${(before / 1e6).toFixed(0)}`,
      aim: { value: MOST_GROWTH_MB },
    },
  ]
}

async function rateOf<Answer>(size: number, act: () => Promise<Answer>) {
  const began = performance.now()
  const answer = await act()
  return { answer, rate: size / 1e6 / ((performance.now() - began) / 1000) }
}

const BLOCK = randomBytes(2 ** 20)
const agent = new Agent({ keepAlive: true })

/** Yields this many random bytes. */
function* blocks(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length))
}

/** Sends a file by multipart and returns its hash_name. */
async function send(url: string, own: SignedIn, size: number): Promise<string> {
  const boundary = 'ringbind-bench'
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="files[0]"; filename="Stor.bin"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const last = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = {
    ...own,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size + last.length),
  }
  const sent = request(url + urls.temporaryUpload, { method: 'POST', headers, agent }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => (text += part))
    answer.once('error', reject).once('end', () => {
      if (answer.statusCode === 200) resolve((JSON.parse(text) as TemporaryFile[])[0]!.hash_name)
      else reject(new Error(`the upload answered ${answer.statusCode}: ${text}`))
    })
  })
  sent.once('error', reject)
  function* body() {
    yield head
    yield* blocks(size)
    yield last
  }
  await pipeline(Readable.from(body(), { objectMode: true, highWaterMark: 2 }), sent).catch(reject)
  return promise
}

async function fetchWhole(url: string, headers: SignedIn, size: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  get(url, { headers, agent }, (answer) => void count(answer, size).then(resolve, reject)).once(
    'error',
    reject,
  )
  await promise
}

async function count(bytes: Readable, size: number): Promise<void> {
  let left = size
  bytes.on('data', (chunk: Buffer) => (left -= chunk.length))
  await new Promise((resolve, reject) => bytes.once('end', resolve).once('error', reject))
  if (left !== 0) throw new Error(`${left} bytes are missing`)
}
