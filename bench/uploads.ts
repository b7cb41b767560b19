import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openThrowAway } from '../demo/throw-away.ts'
import { readConfig } from '../src/config.ts'
import { startRingbind } from '../src/start.ts'
import { nextBatch } from '../src/uploads/transport/send-batch.ts'
import type { TemporaryFile } from '../src/uploads/transport/temporary-file.ts'
import { WIDGET } from '../src/uploads/transport/widget.ts'
import { urls } from '../src/urls.ts'
import { foldersByName, makeProject, makeUser } from '../test/make.ts'
import { memoryOf } from './memory.ts'
import { median, type Result } from './result.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { signIn, type SignedIn } from './sign-in.ts'

const BIG = 2 ** 30
const WARM_UP = 2 ** 27
const BIG_ROUNDS = 3
const LEAST_THROUGHPUT = 0.5
const MOST_GROWTH_MB = (64 * 2 ** 20) / 1e6

const SMALL = 100_000
const SMALL_FILES = 1000
const SMALL_ROUNDS = 5
const LEAST_RATE = 0.4

const EMAIL = 'bench@example.dk'

/** Compares uploads with the least work of a Node server that stores the same bytes on the same disk. */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    const settings = {
      PORT: '0',
      LOG_LEVEL: 'warn',
      REQUESTS_PER_MINUTE: '10000000',
      MAX_FILE_BYTES: String(BIG),
      TEMPORARY_BYTES_PER_USER: String(10 * BIG),
      DATA_DIR: directory.path,
    }
    const address = await fill(settings)
    await using ringbind = await startServer('src/server.ts', settings)
    const office = { ringbind, headers: await signIn(ringbind.url, EMAIL), address, path: directory.path }
    return [...(await compareBig(office)), await compareSmall(office)]
  } finally {
    directory.remove()
  }
}

type Office = {
  ringbind: ServerProcess
  headers: SignedIn
  /** The address of the form for one folder. */
  address: string
  path: string
}

async function fill(settings: Record<string, string>): Promise<string> {
  await using ringbind = await startRingbind(readConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const { db } = ringbind
  await makeUser(db, { role: 'employee', email: EMAIL })
  const { id } = await makeProject(db)
  return urls.uploadTo(id, (await foldersByName(db, id)).Budget!)
}

// One large file

const BLOCK = randomBytes(2 ** 20)
const agent = new Agent({ keepAlive: true })

async function compareBig({ ringbind, headers, path }: Office): Promise<Result[]> {
  await using bare = await startServer('bench/bare-write.ts', { FILE: join(path, 'bare') })
  const forget = (hash: string) =>
    call(ringbind.url + urls.temporaryFile(hash), 'DELETE', { ...headers, ...TUS })
  const ways = {
    tus: (size: number) => rateOf(size, () => sendByTus(ringbind.url, headers, size), forget),
    multipart: (size: number) => rateOf(size, () => sendByMultipart(ringbind.url, headers, size), forget),
    bare: (size: number) =>
      rateOf(
        size,
        () => call(bare.url, 'PUT', { 'content-length': String(size) }, blocks(size)),
        () => call(bare.url, 'DELETE'),
      ),
  }
  const before = memoryOf([ringbind.pid], 'RSS')
  for (const way of Object.values(ways)) await way(WARM_UP)
  const rates = { tus: [] as number[], multipart: [] as number[], bare: [] as number[] }
  const growths = { tus: 0, multipart: 0 }
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memoryOf([ringbind.pid], 'RSS'))), 300)
  try {
    for (let round = 1; round <= BIG_ROUNDS; round++) {
      for (const way of ['tus', 'multipart', 'bare'] as const) {
        most = 0
        rates[way].push(await ways[way](BIG))
        if (way !== 'bare') growths[way] = Math.max(growths[way], most - before)
      }
    }
  } finally {
    clearInterval(watch)
  }
  const bareRate = median(rates.bare)
  return (['tus', 'multipart'] as const).flatMap((way) => {
    const [rate, growth] = [median(rates[way]), growths[way] / 1e6]
    return [
      {
        what: `upload of 1 GiB by ${way}`,
        measured: `${rate.toFixed(0)} MB/s`,
        comparedWith: `a bare pipe to the disk ${bareRate.toFixed(0)} MB/s`,
        ratio: rate / bareRate,
        aim: `ratio ≥ ${LEAST_THROUGHPUT}`,
        met: rate / bareRate >= LEAST_THROUGHPUT,
      },
      {
        what: `memory (RSS) that ${BIG_ROUNDS} of them take at most`,
        measured: `${growth.toFixed(0)} MB on top of ${(before / 1e6).toFixed(0)} MB`,
        aim: `≤ ${MOST_GROWTH_MB.toFixed(0)} MB`,
        met: growth <= MOST_GROWTH_MB,
      },
    ]
  })
}

async function rateOf<Sent>(
  size: number,
  send: () => Promise<Sent>,
  forget: (sent: Sent) => Promise<unknown>,
): Promise<number> {
  const began = performance.now()
  const sent = await send()
  const seconds = (performance.now() - began) / 1000
  await forget(sent)
  return size / 1e6 / seconds
}

const TUS = { 'tus-resumable': '1.0.0' }

/** Sends a file as the page does and returns its hash_name. */
async function sendByTus(url: string, own: SignedIn, size: number): Promise<string> {
  const headers = { ...own, ...TUS }
  const { headers: told } = await call(url + urls.tus, 'POST', {
    ...headers,
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from('Stor.bin').toString('base64')}`,
  })
  for (let offset = 0; offset < size;) {
    const length = Math.min(WIDGET.chunkBytes, size - offset)
    const piece = {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    }
    const answer = await call(url + told.location!, 'PATCH', { ...headers, ...piece }, blocks(length))
    offset = Number(answer.headers['upload-offset'])
  }
  return told.location!.split('/').at(-1)!
}

async function sendByMultipart(url: string, headers: SignedIn, size: number): Promise<string> {
  const [sent] = await sendFiles(url, headers, [{ name: 'Stor.bin', size }])
  return sent!.hash_name
}

// Many small files

type Small = { name: string; size: number }

async function compareSmall({ ringbind, headers, address, path }: Office): Promise<Result> {
  const ours = async (round: number) => {
    const files = Array.from({ length: SMALL_FILES }, (_, index) => ({
      name: `Bilag ${round} ${index + 1}.bin`,
      size: SMALL,
    }))
    const began = performance.now()
    const sent = await sendInBatches(ringbind.url, headers, files)
    await submit(ringbind.url + address, headers, sent)
    return SMALL_FILES / ((performance.now() - began) / 1000)
  }
  const theirs = async () => {
    const root = join(path, 'bare-files')
    mkdirSync(root)
    const began = performance.now()
    await writeEach(root)
    const rate = SMALL_FILES / ((performance.now() - began) / 1000)
    rmSync(root, { recursive: true })
    return rate
  }
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round <= SMALL_ROUNDS; round++) {
    const both = { ours: await ours(round), bare: await theirs() }
    if (round === 0) continue // warming up
    rates.ours.push(both.ours)
    rates.bare.push(both.bare)
  }
  const [rate, bareRate] = [median(rates.ours), median(rates.bare)]
  return {
    what: `${SMALL_FILES} files of 100 kB, uploaded and submitted`,
    measured: `${rate.toFixed(0)} a second`,
    comparedWith: `written and synced one by one ${bareRate.toFixed(0)}`,
    ratio: rate / bareRate,
    aim: `ratio ≥ ${LEAST_RATE}`,
    met: rate / bareRate >= LEAST_RATE,
  }
}

/** Sends a few at a time, as the page does. */
async function sendInBatches(url: string, headers: SignedIn, files: Small[]): Promise<TemporaryFile[]> {
  const waiting = [...files]
  const sent: TemporaryFile[] = []
  const sendOn = async () => {
    while (waiting.length > 0) {
      const batch = nextBatch(waiting)
      waiting.splice(0, batch.length)
      sent.push(...(await sendFiles(url, headers, batch)))
    }
  }
  await Promise.all(Array.from({ length: WIDGET.parallelUploads }, sendOn))
  return sent
}

async function submit(url: string, headers: SignedIn, files: TemporaryFile[]): Promise<void> {
  const form = new FormData()
  form.set('submission', crypto.randomUUID())
  files.forEach(({ name, type, hash_name: hash }, index) => {
    const entry = { name, mime: type, data: hash }
    for (const [field, value] of Object.entries(entry)) form.set(`files[f${index}][${field}]`, value)
  })
  const answer = await fetch(url, { method: 'POST', body: form, headers })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function writeEach(root: string): Promise<void> {
  const bytes = BLOCK.subarray(0, SMALL)
  for (let number = 1; number <= SMALL_FILES; number++) {
    await using handle = await open(join(root, String(number)), 'wx')
    await handle.writeFile(bytes)
    await handle.sync()
  }
}

// Sending

async function sendFiles(url: string, headers: SignedIn, files: Small[]): Promise<TemporaryFile[]> {
  const boundary = 'ringbind-bench'
  const heads = files.map(({ name }, index) =>
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="files[${index}]"; filename="${name}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
  )
  const [between, last] = [Buffer.from('\r\n'), Buffer.from(`--${boundary}--\r\n`)]
  const length = files.reduce(
    (sum, { size }, index) => sum + heads[index]!.length + size + between.length,
    last.length,
  )
  function* body() {
    for (const [index, { size }] of files.entries()) {
      yield heads[index]!
      yield* blocks(size)
      yield between
    }
    yield last
  }
  const { text } = await call(
    url + urls.temporaryUpload,
    'POST',
    {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
    body(),
  )
  return JSON.parse(text) as TemporaryFile[]
}

/** Yields this many random bytes. */
function* blocks(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length))
}

type Answer = { headers: IncomingHttpHeaders; text: string }

async function call(
  url: string,
  method: string,
  headers: Record<string, string> = {},
  body: Iterable<Buffer> = [],
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(url, { method, headers, agent }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => (text += part))
    answer.once('error', reject).once('end', () => {
      if (answer.statusCode! < 300) resolve({ headers: answer.headers, text })
      else reject(new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`))
    })
  })
  sent.once('error', reject)
  await pipeline(Readable.from(body, { objectMode: true, highWaterMark: 2 }), sent).catch(reject)
  return promise
}
