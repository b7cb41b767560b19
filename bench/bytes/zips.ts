import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openThrowAway } from '../../demo/throw-away.ts'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import { zipOf } from '../../src/urls.ts'
import { foldersByName, makeFiles, makeProject, makeUser } from '../../test/make.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'

const SMALL = 100_000
const SMALL_FILES = 10_000
const BIG = 2 ** 30
const BIG_FILES = 5
const STORED_AT_ONCE = 8
const ROUNDS = 3
const LEAST_RATIO = 0.7
const MOST_GROWTH_MB = 64
const MOST_WAIT_MS = 300

/** Compares archives with a bare stream of the same files. */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    const office = await fill(directory.path)
    const lists = join(directory.path, 'lists.json')
    writeFileSync(lists, JSON.stringify([office.small.paths, office.big.paths]))
    await using ringbind = await startServer('src/server.ts', {
      PORT: '0',
      LOG_LEVEL: 'warn',
      REQUESTS_PER_MINUTE: '100000000',
      DATA_DIR: directory.path,
    })
    await using bare = await startServer('bench/bare/bare-stream.ts', { LISTS: lists })
    const compare = (what: string, address: string, nth: number) =>
      compareOne(what, ringbind, ringbind.url + address, `${bare.url}/${nth}`, office.cookie)
    return [
      ...(await compare('ZIP of 10,000 × 100 kB', office.small.address, 0)),
      ...(await compare('ZIP of 5 × 1 GiB', office.big.address, 1)),
    ]
  } finally {
    directory.remove()
  }
}

/** The address of an archive, and where its files are on the disk. */
type Stored = { address: string; paths: string[] }
type Office = { cookie: string; small: Stored; big: Stored }

async function fill(dataDir: string): Promise<Office> {
  await using ringbind = await startRingbind(
    readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }),
  )
  const { db, storage } = ringbind
  const user = await makeUser(db, { role: 'employee' })
  const project = (await makeProject(db)).id
  const folders = await foldersByName(db, project)

  async function store(folder: number, many: number, bytes: () => Iterable<Buffer>): Promise<Stored> {
    const blobs: { id: number; key: string }[] = []
    let left = many
    const storeSome = async () => {
      while (left-- > 0) blobs.push(await receiveBlob(db, storage, Readable.from(bytes()), Infinity))
    }
    await Promise.all(Array.from({ length: STORED_AT_ONCE }, storeSome))
    await makeFiles(
      db,
      folder,
      blobs.map(({ id }, index) => ({ name: `Bilag ${index + 1}.pdf`, blobId: id })),
    )
    return {
      address: zipOf({ project }, { folder }),
      paths: blobs.map(({ key }) => join(dataDir, 'files', key.slice(0, 2), key.slice(2))),
    }
  }

  const block = randomBytes(2 ** 20)
  const small = await store(folders.Budget!, SMALL_FILES, () => [randomBytes(SMALL)])
  const big = await store(folders.Diverse!, BIG_FILES, () => Array<Buffer>(BIG / block.length).fill(block))
  const token = await db.transaction().execute((trx) => addSession(trx, user.id, 'bench'))
  return { cookie: `session=${token}`, small, big }
}

async function compareOne(
  what: string,
  ringbind: ServerProcess,
  ours: string,
  theirs: string,
  cookie: string,
): Promise<Result[]> {
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const waits: number[] = []
  await fetchAll(ours, cookie)
  await fetchAll(theirs, cookie)
  const before = memoryOf([ringbind.pid], 'RSS')
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memoryOf([ringbind.pid], 'RSS'))), 200)
  for (let round = 1; round <= ROUNDS; round++) {
    const got = await fetchAll(ours, cookie)
    rates.ours.push(got.rate)
    waits.push(got.waited)
    rates.bare.push((await fetchAll(theirs, cookie)).rate)
  }
  clearInterval(watch)
  const [rate, bareRate] = [median(rates.ours), median(rates.bare)]
  const growth = (most - before) / 1e6
  const waited = median(waits)
  return [
    {
      what,
      value: rate,
      unit: 'MB/s',
      isRate: true,
      limit: { what: 'a bare stream of the same files', value: bareRate },
      aim: { times: 1 / LEAST_RATIO },
    },
    {
      what: `${what}: the first byte`,
      value: waited,
      unit: 'ms',
      aim: { value: MOST_WAIT_MS },
    },
    {
      what: `${what}: memory (RSS) that ${ROUNDS} more take`,
      value: growth,
      unit: 'MB',
      note: `on top of ${(before / 1e6).toFixed(0)}`,
      aim: { value: MOST_GROWTH_MB },
    },
  ]
}

/**
 * Returns MB per second, and how long the first byte took. Reads into one buffer, because Node's own client takes more
 * time for each byte than the servers that are compared.
 */
function fetchAll(url: string, cookie: string): Promise<{ rate: number; waited: number }> {
  const { hostname, port, pathname, search } = new URL(url)
  const began = performance.now()
  const buffer = Buffer.alloc(2 ** 20)
  return new Promise((resolve, reject) => {
    let [head, received, expected, waited, took] = ['', 0, Infinity, 0, 0]
    const take = (length: number): boolean => {
      if (expected !== Infinity) received += length
      else {
        head += buffer.toString('latin1', 0, length)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return true
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`${url} answered ${head.slice(0, 100)}`))
        expected = Number(/^content-length: (\d+)/im.exec(head)?.[1])
        received = head.length - end - 4
      }
      if (received > 0) waited ||= performance.now() - began
      if (received === expected) took = performance.now() - began
      return true
    }
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback: take } })
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    )
    socket.once('error', reject)
    socket.once('close', () => {
      if (received === expected) resolve({ rate: received / 1e3 / took, waited })
      else reject(new Error(`${url} sent ${received} bytes instead of ${expected}.`))
    })
  })
}
