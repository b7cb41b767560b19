import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { MARK } from '../../src/server/storage/installation.db.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { sha256, startBuckets, type Buckets } from '../neighbours/buckets.ts'
import { freshDirectory } from '../directory.ts'
import { postgresOf, ROOT, startProcess } from '../start/processes.ts'

let buckets: Buckets
beforeAll(async () => {
  buckets = await startBuckets()
}, 180_000)

const BLOBS = 40

/** Runs the command as a person does, and returns its exit status and output. */
async function runMove(env: Record<string, string>, { killAfter = Infinity, args = [] as string[] } = {}) {
  const child = spawn(process.execPath, ['scripts/move-storage.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(child, 'exit') as Promise<[number | null]>
  if (killAfter !== Infinity) {
    await Promise.race([sleep(killAfter), ended])
    child.kill('SIGKILL')
  }
  const [status] = await ended
  return { status, said }
}

it(
  'moves everything to the bucket and back while Ringbind runs, although it is killed again and again',
  { timeout: 600_000 },
  async () => {
    const base = await freshDirectory()
    chmodSync(base, 0o711)
    const DATA_DIR = join(base, 'data')
    postgresOf(DATA_DIR)
    const bucket = await buckets.fresh()
    const env = { ...buckets.radosgw.env(bucket.name), DATA_DIR }
    for (const [name, value] of Object.entries(env)) if (name.startsWith('AWS_')) vi.stubEnv(name, value)
    const blobs: { key: string; sha256: string }[] = []
    {
      const config = readConfig({ DATA_DIR })
      await using made = await openInstallation(config, { say: () => undefined, mayBeEmpty: true })
      await migrate(made.db)
      for (let number = 0; number < BLOBS; number++) {
        const bytes = randomBytes(number % 10 === 0 ? 12_000_000 : 300_000)
        const { key } = await receiveBlob(made.db, made.storage, Readable.from([bytes]), 1e9)
        blobs.push({ key, sha256: sha256(bytes) })
      }
    }
    const filesOnDisk = () => globSync('files/*/*', { cwd: DATA_DIR }).length

    for (const storage of ['s3', 'disk'] as const) {
      const running = startProcess({ ...env, STORAGE: storage })
      await running.url
      const trial = await runMove({ ...env, STORAGE: storage }, { args: ['--dry-run'] })
      expect(trial).toMatchObject({
        status: 0,
        said: expect.stringContaining(`${BLOBS} files of `) as string,
      })
      // Kills at a different moment each time, because machines differ in speed.
      for (let killAfter = 600; killAfter < 3000; killAfter += 300)
        await runMove({ ...env, STORAGE: storage }, { killAfter })
      const { status, said } = await runMove({ ...env, STORAGE: storage })
      expect(said).toContain(
        `bytes were moved to ${storage === 's3' ? `the bucket ${bucket.name}` : 'the disk'}.`,
      )
      expect(status).toBe(0)
      expect(filesOnDisk()).toBe(storage === 's3' ? 0 : BLOBS)
      const left = (await Array.fromAsync(bucket.list())).filter(
        ({ name }) => !['.probe', MARK].includes(name),
      )
      expect(left).toHaveLength(storage === 's3' ? BLOBS : 0)
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)

      const process0 = { ...process.env }
      Object.assign(process.env, buckets.radosgw.env(bucket.name))
      try {
        const config = readConfig({ ...env, STORAGE: storage })
        await using opened = await openInstallation(config, { say: () => undefined })
        for (const { key, sha256: hash } of blobs)
          expect(sha256(await buffer(await opened.storage.open(key)))).toBe(hash)
        for (const { key } of blobs)
          expect(await bucket.listUploads(`${key.slice(0, 2)}/${key.slice(2)}`)).toEqual([])
      } finally {
        process.env = process0
      }
      if (storage === 's3') {
        // Without the bucket's setting Ringbind refuses to start, instead of showing an office without files.
        const without = startProcess({ DATA_DIR })
        expect(await without.ended).toBe(1)
        expect(without.output()).toContain(
          `Ringbind has files in the bucket '${bucket.name}': set S3_BUCKET=${bucket.name}`,
        )
      } else {
        expect(said).toContain('The bucket is empty: S3_BUCKET can be left out from now on.')
        const without = startProcess({ DATA_DIR })
        await without.url
        without.child.kill('SIGTERM')
        expect(await without.ended).toBe(0)
      }
    }
  },
)

it('a missing bucket stops the start with one line', { timeout: 120_000 }, async () => {
  const base = await freshDirectory()
  chmodSync(base, 0o711)
  const DATA_DIR = join(base, 'data')
  const env: Record<string, string> = { ...buckets.radosgw.env('findes-ikke'), DATA_DIR }
  postgresOf(DATA_DIR)
  const refused = startProcess(env)
  expect(await refused.ended).toBe(1)
  expect(refused.output().trim().split('\n')).toEqual([
    'The bucket in S3_BUCKET cannot be used: The bucket findes-ikke did not do HeadBucket: NotFound, status 404.',
  ])
  expect(refused.output()).not.toContain(env.AWS_SECRET_ACCESS_KEY)
})
