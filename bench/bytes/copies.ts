import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'

const BIG = 2 ** 28
const BIG_FILES = 4
const SMALL = 100_000
const SMALL_FILES = 2000
const ROUNDS = 3
const MOST_RATIO = 2
const MOST_GROWTH_MB = 128

/**
 * Compares a backup of a gigabyte in few and many files with tar and sha256sum, both until it is safe on the disk.
 */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    await fill(directory.path)
    const file = join(directory.path, 'copy.tar')
    const times: { ours: number; tar: number }[] = []
    let growth = 0
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now()
      growth = Math.max(growth, await backUp(directory.path, file))
      const between = performance.now()
      rmSync(file)
      const middle = performance.now()
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', 'tar cf "$1" files && sha256sum "$1" && sync "$1"', 'sh', file],
        {
          cwd: directory.path,
        },
      )
      if (status !== 0) throw new Error(`tar failed: ${stderr.toString()}`)
      times.push({ ours: between - began, tar: performance.now() - middle })
      rmSync(file)
    }
    const seconds = (of: 'ours' | 'tar') => median(times.map((time) => time[of])) / 1000
    return [
      {
        what: 'backup, 1.2 GB in 2,004 files',
        value: seconds('ours'),
        unit: 's',
        note: 'start and SHA-256 included',
        limit: { what: 'tar and sha256sum', value: seconds('tar') },
        aim: { times: MOST_RATIO },
      },
      {
        what: 'backup, memory growth',
        value: growth / 1e6,
        unit: 'MB',
        aim: { value: MOST_GROWTH_MB },
      },
    ]
  } finally {
    directory.remove()
  }
}

async function fill(dataDir: string): Promise<void> {
  await using ringbind = await startRingbind(
    readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }),
  )
  const { db, storage } = ringbind
  const block = randomBytes(2 ** 20)
  const store = (bytes: Iterable<Buffer>) => receiveBlob(db, storage, Readable.from(bytes), Infinity)
  for (let count = 0; count < BIG_FILES; count++)
    await store(Array.from({ length: BIG / block.length }, () => block))
  for (let count = 0; count < SMALL_FILES; count++) await store([block.subarray(count, count + SMALL)])
}

/** Returns how much its memory grew from the time it began to write. */
async function backUp(dataDir: string, file: string): Promise<number> {
  const child = spawn(process.execPath, ['scripts/backup.ts', file], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const seen: number[] = []
  const watch = setInterval(() => seen.push(memoryOf([child.pid!], 'RSS')), 100)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(watch)
  if (code !== 0) throw new Error(`The backup failed: ${said}`)
  return Math.max(...seen) - started(seen)
}

/** The memory after the start, about half a second in. */
const started = (seen: number[]) => seen[Math.min(8, seen.length - 1)] ?? 0
