import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { memoryOf } from '../../bench/measure/memory.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { exportOffice } from '../../src/moving/out/export.db.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { freshApp } from '../app.ts'
import { afterwards } from '../clean-up.ts'
import { freshDirectory } from '../directory.ts'
import { foldersByName, makeFile, makeFiles, makeProject } from '../make.ts'
import { postgresOf, startProcess } from '../start/processes.ts'
import { startRadosgw } from '../neighbours/radosgw.ts'

const MANY = Number(process.env.EXPORT_FILES ?? 100_000)
const MOST_GROWTH = 150_000_000
const say = () => undefined

it(`an export writes ${MANY} files without growing`, { timeout: 3_600_000 }, async () => {
  const base = await freshDirectory(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
  chmodSync(base, 0o711) // PostgreSQL's user must be able to enter
  const env = { DATA_DIR: join(base, 'data') }
  postgresOf(env.DATA_DIR)
  await using office = await openInstallation(readConfig(env), { say, mayBeEmpty: true })
  await migrate(office.db)
  // Most are in one folder, where all names must differ.
  const { rows } = await sql<{ id: number; key: string }>`
    insert into blobs (key, state, size, sha256, type)
    select md5(n::text), 'stored', length(n::text), encode(sha256(n::text::bytea), 'hex'), 'text/plain'
    from generate_series(1, ${MANY}::integer) as n returning id, key`.execute(office.db)
  for (const [index, { key }] of rows.entries()) {
    const fan = join(env.DATA_DIR, 'files', key.slice(0, 2))
    mkdirSync(fan, { recursive: true })
    writeFileSync(join(fan, key.slice(2)), String(index + 1))
  }
  const project = await makeProject(office.db)
  const { Budget, Diverse } = await foldersByName(office.db, project.id)
  for (let from = 0; from < rows.length; from += 1000) {
    const files = rows.slice(from, from + 1000).map(({ id }) => ({ name: 'Bilag.pdf', blobId: id }))
    await makeFiles(office.db, from % 4000 === 0 ? Diverse! : Budget!, files)
  }
  const root = join(base, 'ud')
  const command = startProcess(env, { args: ['scripts/export.ts', root] })
  const seen: number[] = []
  const watch = setInterval(() => seen.push(memoryOf([command.child.pid!], 'RSS')), 200)
  const began = performance.now()
  expect([await command.ended, command.output()]).toEqual([
    0,
    expect.stringContaining(`has ${MANY} files`) as string,
  ])
  clearInterval(watch)
  const [most, start] = [Math.max(...seen), seen[Math.min(5, seen.length - 1)] ?? 0]
  console.log(
    `export: ${Math.round(MANY / ((performance.now() - began) / 1000))} files/s, ${Math.round(most / 1e6)} MB at most, ${Math.round(start / 1e6)} MB at the start`,
  )
  expect(most - start).toBeLessThan(MOST_GROWTH)
  execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })
})

it(
  'an export says that the disk is full, and continues when there is room',
  { timeout: 300_000 },
  async (context) => {
    const disk = await freshDirectory()
    const run = (...args: string[]) => spawnSync(args[0]!, args.slice(1), { encoding: 'utf8' })
    const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=3m,mode=711', 'ringbind-test', disk)
    if (mounted.status !== 0) {
      console.warn(`SKIPPED: the full disk was not tried: ${mounted.stderr}`)
      context.skip(mounted.stderr)
    }
    afterwards(async () => {
      expect(run('umount', disk).status).toBe(0)
    })
    const { db, storage, config } = await freshApp({ hasJobs: false })
    const project = await makeProject(db)
    const { Budget } = await foldersByName(db, project.id)
    for (let count = 0; count < 20; count++)
      await makeFile({ db, storage }, Budget!, { bytes: Buffer.alloc(300_000, count) })
    const office = { db, storage, dataDir: config.dataDir, timeZone: config.timeZone }
    const root = join(disk, 'ud')
    await expect(exportOffice(office, root)).rejects.toThrow(
      `${root} is full. Make room. Run the same command again`,
    )
    expect(run('mount', '-o', 'remount,size=20m', disk).status).toBe(0)
    const done = await exportOffice(office, root)
    expect(done).toMatchObject({ files: 20, faults: 0 })
    expect(done.kept).toBeGreaterThan(0)
    execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })
  },
)

it('an export reads files from a bucket', { timeout: 300_000 }, async () => {
  await using store = await startRadosgw().then((started) => ({
    ...started,
    [Symbol.asyncDispose]: () => started.stop(),
  }))
  await store.makeBucket('export')
  const env = store.env('export')
  for (const [variable, value] of Object.entries(env))
    if (variable.startsWith('AWS_')) vi.stubEnv(variable, value)
  const { db, storage, config } = await freshApp({ hasJobs: false, env })
  const project = await makeProject(db)
  const { Budget } = await foldersByName(db, project.id)
  for (const size of [0, 1, 1000, 9_000_000])
    await makeFile({ db, storage }, Budget!, { bytes: Buffer.alloc(size, 7) })
  const root = join(await freshDirectory(), 'ud')
  const office = { db, storage, dataDir: config.dataDir, timeZone: config.timeZone }
  expect(await exportOffice(office, root)).toMatchObject({ files: 4, faults: 0 })
  execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })
})
