import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { copyFile, open, readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { backUp } from '../../src/copies/backup.db.ts'
import { restore } from '../../src/copies/restore.db.ts'
import { verify } from '../../src/copies/verify.db.ts'
import { purgeBlobs } from '../../src/server/storage/blobs.db.ts'
import { checkArchive } from '../../src/copies/check-archive.server.ts'
import { connect } from '../../src/server/database/database.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { openStorage } from '../../src/server/storage/open-storage.ts'
import type { FileStorage } from '../../src/server/storage/storage.ts'
import { chanceOf } from '../chance.ts'
import { afterwards } from '../clean-up.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { makeExternalPostgres, type ExternalPostgres } from '../neighbours/external-postgres.ts'
import { startWorking } from '../rounds/office-at-work.ts'
import { postgresOf, startProcess, type RunningProcess } from '../start/processes.ts'
import { startRadosgw, type Radosgw } from '../neighbours/radosgw.ts'
import { readBytes, readRows, type Rows } from '../seeing/snapshot.ts'

const SECONDS = Number(process.env.COPY_SECONDS ?? 45)
const SEED = Number(process.env.COPY_SEED ?? 20_261_115)
const CLIENTS = 8

/** The kinds of stores, with the settings for an empty one of each kind. */
const STORES: [string, () => Promise<Record<string, string>>][] = [
  ['the disk', async () => ({})],
  ['a bucket', freshBucket],
]

let store: Radosgw | undefined
let buckets = 0
let databases = 0

async function freshBucket(): Promise<Record<string, string>> {
  store ??= await startRadosgw()
  const name = `copies-${++buckets}`
  await store.makeBucket(name)
  const env = store.env(name)
  for (const [variable, value] of Object.entries(env))
    if (variable.startsWith('AWS_')) vi.stubEnv(variable, value)
  return env
}

type Snapshot = { rows: Rows; bytes: Map<string, string> }
type Copy = Snapshot & { file: string }

const say = () => undefined
const freshBase = async () => {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // PostgreSQL's user must be able to enter
  return base
}

let external: ExternalPostgres
beforeAll(async () => {
  external = await makeExternalPostgres()
}, 300_000)
afterAll(async () => {
  await external.stop()
  await store?.stop()
})

describe.each(STORES)('with the bytes in %s', (_name, freshStore) => {
  const copies: Copy[] = []
  let directory: string
  let env: Record<string, string> & { DATA_DIR: string }
  beforeAll(async () => {
    directory = await freshBase()
    env = { DATA_DIR: join(directory, 'data'), ...(await freshStore()) }
  }, 300_000)

  /** Makes an empty installation on another PostgreSQL 18, or on the external one. */
  const emptyPlace = async (url?: string) => {
    const dataDir = await freshDirectory()
    const storage: FileStorage = await openStorage(
      readConfig({ DATA_DIR: dataDir, ...(await freshStore()) }),
      dataDir,
    )
    if (!url) return { db: (await freshDatabase({ migrated: false })).db, storage }
    const db = connect({ connection: { connectionString: url }, onError: () => undefined })
    afterwards(() => db.destroy())
    return { db, storage }
  }
  const expectSame = async (
    { db, storage }: Awaited<ReturnType<typeof emptyPlace>>,
    { rows, bytes }: Snapshot,
  ) => {
    const found = await readRows(db)
    expect(Object.keys(found)).toEqual(Object.keys(rows))
    for (const table of Object.keys(rows)) expect([table, found[table]]).toEqual([table, rows[table]])
    expect(await readBytes(storage)).toEqual(bytes)
    expect((await verify({ db, storage })).faults).toEqual([])
  }

  it(
    `copies made while ${CLIENTS} people work match their snapshot`,
    { timeout: 300_000 + SECONDS * 10_000 },
    async () => {
      postgresOf(env.DATA_DIR)
      const server = startProcess({ ...env, REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'error' })
      const url = await server.url
      await using office = await openInstallation(readConfig(env), { say })
      const work = await startWorking(office.db, url, CLIENTS, SEED)
      const until = Date.now() + SECONDS * 1000
      const figures: object[] = []
      await sleep(5_000)
      while (Date.now() < until || copies.length < 2) {
        const file = join(directory, `${copies.length}.tar`)
        let snapshot: Snapshot | undefined
        const before = work.counts()
        const began = performance.now()
        const { faults, rows, blobs, bytes } = await backUp(office, file, {
          inSnapshot: async (id) => {
            snapshot = {
              rows: await readRows(office.db, id),
              bytes: await readStored(office.storage, office.db, id),
            }
            await sleep(2_000) // the others keep working, so the current state differs from the snapshot
          },
        })
        expect(faults).toEqual([])
        copies.push({ ...snapshot!, file })
        const after = work.counts()
        const ms = Math.round(performance.now() - began)
        figures.push({ rows, blobs, bytes, ms, uploadsMeanwhile: after.uploads - before.uploads })
        expect(after.uploads).toBeGreaterThan(before.uploads)
        // Ordinary work is not reported as a fault.
        expect((await verify(office)).faults).toEqual([])
      }
      const command = startProcess(env, { args: ['scripts/backup.ts', join(directory, 'command.tar')] })
      expect([await command.ended, command.output()]).toEqual([
        0,
        expect.stringContaining('rows and') as string,
      ])
      expect(await work.stop()).toEqual([])
      console.log(`copies, COPY_SEED=${SEED}:`, work.counts(), figures)
      expect(copies.length).toBeGreaterThan(1)
      // Files whose removal waited for the copy are removed now.
      await purgeBlobs(office.db, office.storage)
      const { rows: left } = { rows: (await readRows(office.db)).blobs! }
      expect(left.filter((line) => line.includes(',removing,'))).toEqual([])
      expect((await verify(office)).faults).toEqual([])
      const again = startProcess(env, { args: ['scripts/verify.ts'] })
      expect([await again.ended, again.output()]).toEqual([
        0,
        expect.stringContaining('all is well') as string,
      ])
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(server.output().replace(/^Ringbind is running.*\n|^Make the first.*\n/gm, '')).toBe('')
      expect((await readdir(directory)).filter((name) => name.includes('partial'))).toEqual([])
    },
  )

  it('a restore of each copy has the same rows and the same bytes', { timeout: 300_000 }, async () => {
    const times: number[] = []
    for (const copy of copies) {
      const place = await emptyPlace()
      const began = performance.now()
      await restore(place, copy.file)
      times.push(Math.round(performance.now() - began))
      await expectSame(place, copy)
    }
    console.log('restored in ms:', times)
  })

  it('a copy can go to an external PostgreSQL, and from there back', { timeout: 300_000 }, async () => {
    const copy = copies.at(-1)!
    const outside = await emptyPlace(await external.makeDatabase(`copies_${++databases}`))
    await restore(outside, copy.file)
    await expectSame(outside, copy)
    const back = join(directory, 'back.tar')
    await backUp(outside, back)
    const home = await emptyPlace()
    await restore(home, back)
    await expectSame(home, copy)
    console.log(`restored into ${external.version} and back`)
  })

  it('a flipped bit in a blob and a missing blob are found and named', { timeout: 120_000 }, async () => {
    const place = await emptyPlace()
    await restore(place, copies[0]!.file)
    const blobs = await place.db
      .selectFrom('files')
      .innerJoin('blobs', 'blobs.id', 'blob_id')
      .select(['blobs.id', 'blobs.key', 'size', 'files.name'])
      .where('size', '>', 0)
      .limit(2)
      .execute()
    const [gone, wrong] = blobs
    const bytes = await place.storage.read(wrong!.key, { first: 0, last: wrong!.size! - 1 })
    bytes[bytes.length >> 1]! ^= 4
    for (const { key } of [gone!, wrong!]) await place.storage.remove(key)
    await place.storage.put(wrong!.key, [bytes])
    const { faults } = await verify(place)
    expect(faults).toHaveLength(2)
    expect(faults).toContainEqual(
      expect.stringMatching(new RegExp(`blob ${gone!.id}\\): its bytes are missing`)),
    )
    expect(faults).toContainEqual(
      expect.stringMatching(new RegExp(`blob ${wrong!.id}\\): its bytes are damaged`)),
    )
    const made = await backUp(place, join(directory, 'faults.tar'))
    expect(made.faults.map(({ kind }) => kind).sort()).toEqual(['damaged', 'missing'])
    for (const { name } of blobs) expect(made.faults.some(({ about }) => about.startsWith(name))).toBe(true)
  })

  it(
    'a copy that is cut off, or has a flipped bit, is found, wherever the damage is',
    { timeout: 600_000 },
    async () => {
      const file = join(directory, 'small.tar')
      const { db } = await freshDatabase()
      await backUp({ db, storage: (await emptyPlace()).storage }, file)
      for (const victim of [file, copies[0]!.file]) {
        const isSmall = victim === file
        const { size } = await stat(victim)
        const chance = chanceOf(SEED)
        const flips = isSmall ? 1500 : 60
        const missed: number[] = []
        const handle = await open(victim, 'r+')
        for (let count = 0; count < flips; count++) {
          const at = chance.number(size)
          const byte = Buffer.alloc(1)
          await handle.read(byte, 0, 1, at)
          const flipped = Buffer.from([byte[0]! ^ (1 << chance.number(8))])
          await handle.write(flipped, 0, 1, at)
          if (!(await isKnown(victim))) missed.push(at)
          await handle.write(byte, 0, 1, at)
        }
        await handle.close()
        expect(missed).toEqual([])
        expect(await isKnown(victim)).toBe(false)
        const cut = join(directory, 'cut.tar')
        await copyFile(victim, cut)
        const lengths = Array.from({ length: isSmall ? 300 : 60 }, () => chance.number(size)).sort(
          (a, b) => b - a,
        )
        for (const length of [
          size - 1,
          size - 512,
          size - 1024,
          ...lengths.filter((each) => each < size - 1024),
        ]) {
          await truncate(cut, length)
          if (!(await isKnown(cut))) missed.push(length)
        }
        expect(missed).toEqual([])
        console.log(
          `damage: ${flips} flipped bits and ${lengths.length + 3} cuts of ${size} bytes, all found`,
        )
      }
    },
  )

  it('a restore that is killed or stopped can be repeated', { timeout: 300_000 }, async () => {
    const copy = copies.at(-1)!
    const chance = chanceOf(SEED)
    const empty = { DATA_DIR: join(await freshBase(), 'data'), ...(await freshStore()) }
    postgresOf(empty.DATA_DIR)
    const run = () => startProcess(empty, { args: ['scripts/restore.ts', copy.file] })
    mkdirSync(empty.DATA_DIR, { mode: 0o711 })
    const storage = await openStorage(readConfig(empty), empty.DATA_DIR)
    const countKeys = async () => (await Array.fromAsync(storage.list())).length
    const ends: { after: number; end: number | string; goesOn: boolean }[] = []
    for (let round = 0; round < 8; round++) {
      const command = run()
      // Kills the restore when this many files are stored.
      const wanted = chance.number(copy.bytes.size)
      while (command.child.exitCode === null && (await countKeys()) < wanted) await sleep(10)
      const after = await countKeys()
      command.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGINT')
      const end = await command.ended
      ends.push({ after, end, goesOn: command.output().includes('An earlier restore was not finished') })
      if (isDone(command, end)) break // the kill of this round or the one before came too late
    }
    const last = run()
    expect([isDone(last, await last.ended), last.output()]).toEqual([true, expect.any(String) as string])
    console.log('restores that were killed or stopped ended with:', ends)
    await using office = await openInstallation(readConfig(empty), { say })
    // A restore ends all sessions, and the API keys if there are any.
    await expectSame(office, { ...copy, rows: { ...copy.rows, sessions: [] } })
    const stores = await office.db.selectFrom('stores').select('bucket').execute()
    expect(stores.map(({ bucket }) => bucket)).toEqual([readConfig(empty).s3Bucket].filter(Boolean))
  })

  it('a backup that is killed leaves no damaged copy', { timeout: 120_000 }, async () => {
    const chance = chanceOf(SEED)
    postgresOf(env.DATA_DIR)
    const target = await freshDirectory()
    for (let round = 0; round < 6; round++) {
      const file = join(target, `${round}.tar`)
      const command = startProcess(env, { args: ['scripts/backup.ts', file] })
      await sleep(500 + chance.number(2_000))
      command.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGINT')
      await command.ended
      if (existsSync(file)) expect(await isKnown(file)).toBe(false)
      const left = (await readdir(target)).filter((name) => name.startsWith(`${round}.tar.`))
      if (round % 2 === 1) expect(left).toEqual([])
    }
  })
})

/** Returns whether a restore is complete, by this command or by one that was killed after its end. */
const isDone = ({ output }: RunningProcess, end: number | string) =>
  end === 0 || output().includes('this database has tables already')

/** Returns whether damage to a copy is noticed. */
async function isKnown(file: string): Promise<boolean> {
  return checkArchive(file).then(
    ({ damages }) => damages.length > 0,
    () => true,
  )
}

/** Reads everything that is stored in a snapshot from the store, and returns the SHA-256 of each. */
async function readStored(
  storage: FileStorage,
  db: Parameters<typeof readRows>[0],
  snapshot: string,
): Promise<Map<string, string>> {
  const keys = new Set(
    (await readRows(db, snapshot)).blobs!.flatMap((line) => /([0-9a-f]{32}),stored,/.exec(line)?.[1] ?? []),
  )
  const picked: FileStorage = {
    ...storage,
    async *list() {
      for (const key of keys) yield { key, size: 0 }
    },
  }
  return readBytes(picked)
}
