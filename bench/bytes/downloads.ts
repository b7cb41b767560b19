import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openThrowAway } from '../../demo/throw-away.ts'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import type { Parts } from '../../src/server/parts.ts'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import { fileUrls } from '../../src/urls.ts'
import { foldersByName, makeFiles, makeProject, makeUser } from '../../test/make.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'

const BIG = 2 ** 30
const BIG_ROUNDS = 5
const LEAST_THROUGHPUT = 0.9
const MOST_GROWTH_MB = 64

const SMALL = 100_000
const SMALL_FILES = 200
const CONNECTIONS = 8
const REQUESTS = 3000
const SMALL_ROUNDS = 7
const LEAST_RATE = 0.5

/** Compares downloads through Ringbind, signed in, with the least work of a server that sends the same bytes. */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    const office = await fill(directory.path)
    await using ringbind = await startServer('src/server.ts', {
      PORT: '0',
      LOG_LEVEL: 'warn',
      REQUESTS_PER_MINUTE: '100000000',
      DATA_DIR: directory.path,
    })
    return [...(await compareBig(ringbind, office)), await compareSmall(ringbind, office, directory.path)]
  } finally {
    directory.remove()
  }
}

/** A stored file: its address in Ringbind, and its path below `files` on the disk. */
type Stored = { address: string; file: string }
type Office = { cookie: string; dataDir: string; big: Stored; small: Stored[] }

async function fill(dataDir: string): Promise<Office> {
  await using ringbind = await startRingbind(
    readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }),
  )
  const { db } = ringbind
  const user = await makeUser(db, { role: 'employee' })
  const project = (await makeProject(db)).id
  const folder = (await foldersByName(db, project)).Budget!
  const store = (name: string, bytes: Iterable<Buffer>) =>
    storeFile(ringbind, { project, folder, name, bytes })
  const block = randomBytes(2 ** 20)
  const big = await store('Stor.bin', Array<Buffer>(BIG / block.length).fill(block))
  const small: Stored[] = []
  for (let number = 1; number <= SMALL_FILES; number++)
    small.push(await store(`Bilag ${number}.bin`, [randomBytes(SMALL)]))
  const token = await db.transaction().execute((trx) => addSession(trx, user.id, 'bench'))
  return { cookie: `session=${token}`, dataDir, big, small }
}

type Wanted = { project: number; folder: number; name: string; bytes: Iterable<Buffer> }

async function storeFile({ db, storage }: Parts, { project, folder, name, bytes }: Wanted): Promise<Stored> {
  const blob = await receiveBlob(db, storage, Readable.from(bytes), Infinity)
  const [made] = await makeFiles(db, folder, [{ name, blobId: blob.id }])
  return {
    address: fileUrls.download({ project }, made!.path),
    file: join(blob.key.slice(0, 2), blob.key.slice(2)),
  }
}

async function compareBig(ringbind: ServerProcess, { big, cookie, dataDir }: Office): Promise<Result[]> {
  await using bare = await startServer('bench/bare/bare-pipe.ts', { FILE: join(dataDir, 'files', big.file) })
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const fetch = async (url: string) => {
    const began = performance.now()
    await fetchWhole(url, cookie, BIG)
    return BIG / 1e6 / ((performance.now() - began) / 1000)
  }
  const ours = () => fetch(ringbind.url + big.address)
  const theirs = () => fetch(`${bare.url}/big`)
  await ours()
  await theirs()
  const before = memoryOf([ringbind.pid], 'RSS')
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memoryOf([ringbind.pid], 'RSS'))), 300)
  for (let round = 1; round <= BIG_ROUNDS; round++) {
    rates.ours.push(await ours())
    rates.bare.push(await theirs())
  }
  clearInterval(watch)
  const [rate, bareRate] = [median(rates.ours), median(rates.bare)]
  const growth = (most - before) / 1e6
  return [
    {
      what: 'download of 1 GiB, signed in',
      value: rate,
      unit: 'MB/s',
      isRate: true,
      limit: { what: 'a bare pipe', value: bareRate },
      aim: { times: 1 / LEAST_THROUGHPUT },
    },
    {
      what: `memory (RSS) that ${BIG_ROUNDS} more downloads of 1 GiB take`,
      value: growth,
      unit: 'MB',
      note: `on top of ${(before / 1e6).toFixed(0)}`,
      aim: { value: MOST_GROWTH_MB },
    },
  ]
}

async function compareSmall(
  ringbind: ServerProcess,
  { small, cookie }: Office,
  dataDir: string,
): Promise<Result> {
  await using bare = await startServer('bench/bare/bare-static.ts', { ROOT: join(dataDir, 'files') })
  const ours = () =>
    fetchMany(
      small.map(({ address }) => ringbind.url + address),
      cookie,
    )
  const theirs = () =>
    fetchMany(
      small.map(({ file }) => `${bare.url}/files/${file}`),
      cookie,
    )
  await ours()
  await theirs()
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 1; round <= SMALL_ROUNDS; round++) {
    rates.ours.push(await ours())
    rates.bare.push(await theirs())
  }
  const [rate, bareRate] = [median(rates.ours), median(rates.bare)]
  return {
    what: `downloads of 100 kB, signed in, ${CONNECTIONS} connections`,
    value: rate,
    unit: 'a second',
    isRate: true,
    limit: { what: '@fastify/static without sign-in', value: bareRate },
    aim: { times: 1 / LEAST_RATE },
  }
}

/** Returns the downloads per second. */
async function fetchMany(urls: string[], cookie: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let next = 0
  const fetchSome = async () => {
    while (next < REQUESTS) await fetchWhole(urls[next++ % urls.length]!, cookie, SMALL, agent)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, fetchSome))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  return REQUESTS / seconds
}

function fetchWhole(url: string, cookie: string, size: number, agent?: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie }, ...(agent && { agent }) }, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => (received += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200 && received === size) return resolve()
        reject(new Error(`${url} answered ${response.statusCode} with ${received} bytes.`))
      })
    }).on('error', reject)
  })
}
