import { mkdir, readdir, rename, rmdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freshApp } from '../test/app.ts'
import { freshDirectory } from '../test/directory.ts'
import { isCopyName, nameOfCopy } from './copies/keep.ts'
import { backUpTo, copyOnAgain } from './scheduled-backups.ts'
import { findCopyState } from './watch/copy-state.db.ts'
import { checkBackupDirectory } from './copies/backup-directory.server.ts'
import { receiveBlob } from './server/storage/blobs.db.ts'
import { checkArchive } from './copies/check-archive.server.ts'

const silent = { info: () => undefined, error: () => undefined }

it('a backup is made at its time, as a job', async () => {
  const directory = await freshDirectory()
  const test = await freshApp({ env: { BACKUP_DIR: directory, BACKUP_AT: '04:30' } })
  const job = { name: 'backup', retryLimit: 0, retrySeconds: 0 }
  await test.db.transaction().execute((trx) => test.jobs.enqueue(trx, job, {}))
  await expect.poll(async () => (await readdir(directory)).filter(isCopyName).length).toBe(1)
  const [name] = await readdir(directory)
  expect(await checkArchive(join(directory, name!))).toMatchObject({ damages: [], faults: [] })
  await expect.poll(test.logged).toContain('"msg":"backup made"')
})

it.each([
  ['whose directory is gone', {}, 'ENOENT'],
  [
    'that would take the reserved room',
    { DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER) },
    'are kept free (DISK_RESERVE_BYTES)',
  ],
])('a backup %s fails with one line in the log', async (_what, env, reason) => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined) // hides the job's own error message
  onTestFinished(() => quiet.mockRestore())
  const directory = join(await freshDirectory(), 'copies')
  await mkdir(directory)
  const test = await freshApp({ env: { BACKUP_DIR: directory, BACKUP_AT: '04:30', ...env } })
  if (reason === 'ENOENT') await rmdir(directory)
  const job = { name: 'backup', retryLimit: 0, retrySeconds: 0 }
  await test.db.transaction().execute((trx) => test.jobs.enqueue(trx, job, {}))
  const failed = () =>
    test
      .logged()
      .split('\n')
      .find((line) => line.includes('"msg":"backup failed"'))
  await expect.poll(failed).toContain(reason)
  expect(JSON.parse(failed()!)).toMatchObject({ level: 50 })
})

it('keeps the newest backups, and removes only its own surplus ones and old leftovers', async () => {
  const directory = await freshDirectory()
  const test = await freshApp({ env: { BACKUP_KEEP: '2' } })
  const other = await freshApp()
  const make = async (office: typeof test, day: number) => {
    const { made } = await backUpTo(office, directory, silent)
    const name = nameOfCopy(new Date(Date.UTC(2026, 0, day)), false)
    await rename(join(directory, made), join(directory, name))
    return name
  }
  const [stranger, oldest, second] = [await make(other, 1), await make(test, 2), await make(test, 3)]
  const half = nameOfCopy(new Date(Date.UTC(2025, 0, 1)), false)
  await writeFile(join(directory, half), 'cut')
  const leftover = `${half}.0123abcd.partial`
  await writeFile(join(directory, leftover), 'left by kill -9')
  await writeFile(join(directory, `${half}.4567abcd.partial`), 'being made by somebody else')
  await utimes(join(directory, leftover), 1, 1)
  const { made, removed } = await backUpTo(test, directory, silent)
  expect(removed).toEqual([oldest])
  expect((await readdir(directory)).sort()).toEqual(
    [stranger, second, half, `${half}.4567abcd.partial`, made].sort(),
  )
})

it('a backup with a future date neither removes the one just made nor is removed itself', async () => {
  const directory = await freshDirectory()
  const test = await freshApp({ hasJobs: false, env: { BACKUP_KEEP: '1' } })
  const first = await backUpTo(test, directory, silent)
  const ahead = nameOfCopy(new Date(Date.now() + 365 * 86_400_000), false)
  await rename(join(directory, first.made), join(directory, ahead))
  const { made, removed } = await backUpTo(test, directory, silent)
  expect(removed).toEqual([])
  expect((await readdir(directory)).sort()).toEqual([made, ahead].sort())
})

it('an unavailable second place is retried alone, without another backup here', async () => {
  const directory = await freshDirectory()
  const second = join(await freshDirectory(), 'nas')
  const test = await freshApp({
    env: { BACKUP_DIR: directory, BACKUP_AT: '04:30', BACKUP_SECOND: second },
    jobsEverySeconds: 0.5,
  })
  const job = { name: 'backup', retryLimit: 0, retrySeconds: 0 }
  const id = await test.db.transaction().execute((trx) => test.jobs.enqueue(trx, job, {}))
  const stateOf = async () =>
    (await sql<{ state: string }>`select state from jobs.job where id = ${id}`.execute(test.db)).rows[0]!
      .state
  await expect.poll(stateOf).toBe('completed') // so it is not tried again
  const copies = await readdir(directory)
  expect(copies).toHaveLength(1)
  expect((await findCopyState(test.db))!.failed).toMatchObject({ reason: 'second-no-directory' })

  await copyOnAgain(test, directory, silent)
  expect((await findCopyState(test.db))!.failed).toMatchObject({ reason: 'second-no-directory' })
  await mkdir(second)
  await copyOnAgain(test, directory, silent)
  expect([await readdir(directory), await readdir(second)]).toEqual([copies, copies])
  expect((await findCopyState(test.db))!.failed).toBeNull()
})

it('a backup with missing files says so in its name and in the log, and keeps the last good one', async () => {
  const directory = await freshDirectory()
  const test = await freshApp({ env: { BACKUP_KEEP: '1' } })
  const blob = await receiveBlob(test.db, test.storage, Readable.from([Buffer.from('abc')]), 10)
  await receiveBlob(test.db, test.storage, Readable.from([Buffer.from('def')]), 10)
  const good = await backUpTo(test, directory, silent)
  const before = join(directory, nameOfCopy(new Date('2026-01-01'), false))
  await rename(join(directory, good.made), before)
  await test.storage.remove(blob.key)
  const errors: unknown[] = []
  const { made, removed } = await backUpTo(test, directory, {
    ...silent,
    error: (about: unknown) => void errors.push(about),
  })
  expect(made).toMatch(/-with-faults\.tar$/)
  expect(errors).toEqual([{ blobs: [blob.key] }])
  expect(removed).toEqual([])
})

it('a missing backup directory stops the start', async () => {
  await expect(checkBackupDirectory('/findes/ikke')).rejects.toThrow(/^BACKUP_DIR takes .* ENOENT/)
})
