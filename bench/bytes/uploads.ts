import { mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { startRingbind } from '../../src/start.ts'
import { urls } from '../../src/urls.ts'
import { foldersByName, makeProject, makeUser } from '../../test/make.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import {
  blocks,
  BLOCK,
  call,
  sendByMultipart,
  sendByTus,
  sendInBatches,
  submit,
  TUS,
} from '../office/send.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'
import { signIn, type SignedIn } from '../office/sign-in.ts'

const BIG = 2 ** 30
const WARM_UP = 2 ** 27
const BIG_ROUNDS = 3
const LEAST_THROUGHPUT = 0.5
const MOST_GROWTH_MB = 67

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

async function compareBig({ ringbind, headers, path }: Office): Promise<Result[]> {
  await using bare = await startServer('bench/bare/bare-write.ts', { FILE: join(path, 'bare') })
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
        value: rate,
        unit: 'MB/s',
        isRate: true as const,
        limit: { what: 'a bare pipe to the disk', value: bareRate },
        aim: { times: 1 / LEAST_THROUGHPUT },
      },
      {
        what: `memory (RSS) that ${BIG_ROUNDS} of them by ${way} take at most`,
        value: growth,
        unit: 'MB',
        note: `on top of ${(before / 1e6).toFixed(0)}`,
        aim: { value: MOST_GROWTH_MB },
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

// Many small files

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
    value: rate,
    unit: 'a second',
    isRate: true,
    limit: { what: 'written and synced one by one', value: bareRate },
    aim: { times: 1 / LEAST_RATE },
  }
}

async function writeEach(root: string): Promise<void> {
  const bytes = BLOCK.subarray(0, SMALL)
  for (let number = 1; number <= SMALL_FILES; number++) {
    await using handle = await open(join(root, String(number)), 'wx')
    await handle.writeFile(bytes)
    await handle.sync()
  }
}
