import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshApp } from '../../test/app.ts'
import { freshDirectory } from '../../test/directory.ts'
import { readConfig } from '../config.ts'
import { backUpTo } from '../scheduled-backups.ts'
import { checkArchive } from './check-archive.server.ts'
import { nameOfCopy } from './keep.ts'
import { directoryAt, openSecondPlace } from './second-place.server.ts'

const silent = { info: () => undefined, error: () => undefined }
const name = nameOfCopy(new Date(), false)

it('a scheduled copy is sent to the second place, which keeps only the newest', async () => {
  const [first, second] = [await freshDirectory(), await freshDirectory()]
  const test = await freshApp({ hasJobs: false, env: { BACKUP_SECOND: second, BACKUP_KEEP: '1' } })
  const { made } = await backUpTo(test, first, silent)
  expect(await readdir(second)).toEqual([made])
  expect(await checkArchive(join(second, made))).toMatchObject({ damages: [] })
  const older = made.replace(/\d{8}T/, '20200101T')
  await writeFile(join(second, older), await readFile(join(second, made)))
  await writeFile(join(second, 'noget andet.tar'), 'x')
  await directoryAt(second).send(join(first, made), made)
  const { removed } = await new Promise<{ removed: string[] }>((resolve, reject) => {
    // Copies are named by the second.
    const again = () =>
      backUpTo(test, first, silent).then(resolve, (error: Error) =>
        error.message.includes('is there already') ? setTimeout(again, 200) : reject(error),
      )
    void again()
  })
  expect(removed).toEqual([made])
  const kept = await readdir(second)
  expect(kept).not.toContain(older)
  expect(kept).toContain('noget andet.tar')
  expect(kept).toHaveLength(2)
})

it('a second place that cannot be written fails the copy, and keeps no part of it', async () => {
  const [first, second] = [await freshDirectory(), await freshDirectory()]
  const file = join(first, 'a.tar')
  await writeFile(file, Buffer.alloc(3_000_000, 'x'))
  const stop = new AbortController()
  stop.abort()
  await expect(directoryAt(second).send(file, name, stop.signal)).rejects.toThrow()
  expect(await readdir(second)).toEqual([])
  await expect(directoryAt(join(second, 'nowhere')).check()).rejects.toThrow(/^BACKUP_SECOND takes/)
  await expect(directoryAt(join(second, 'nowhere')).send(file, name)).rejects.toThrow('ENOENT')
  await mkdir(join(second, name)) // in the way
  await expect(directoryAt(second).send(file, name)).rejects.toThrow()
  expect(await readdir(second)).toEqual([name])
})

it('a copy at the second place has the same bytes, and only its owner can read it', async () => {
  const [first, second] = [await freshDirectory(), await freshDirectory()]
  const file = join(first, 'a.tar')
  await writeFile(file, Buffer.alloc(3_000_000, 'abc'))
  await directoryAt(second).send(file, name)
  expect((await readFile(join(second, name))).equals(await readFile(file))).toBe(true)
  expect((await stat(join(second, name))).mode & 0o777).toBe(0o600)
})

it.each([
  ['nothing', {}, null],
  ['a directory', { BACKUP_SECOND: '/mnt/nas' }, 'directory'],
  ['a bucket', { BACKUP_SECOND: 's3://kopier/ringbind', S3_ENDPOINT: 'https://s3.example' }, 'bucket'],
])('the second place can be %s', async (_, env, kind) => {
  const config = readConfig({ ...env, DATA_DIR: '/tmp' })
  const place = await openSecondPlace(config, 'abc')
  expect(place === null).toBe(kind === null)
})

it.each([
  [{ BACKUP_SECOND: 's3://UPPER/' }, 'BACKUP_SECOND takes'],
  [{ BACKUP_SECOND: 's3://kopier' }, 'S3_REGION takes'],
  [
    { BACKUP_SECOND: 's3://kopier', S3_ENDPOINT: 'https://s3.example', STORAGE: 's3' },
    'STORAGE=s3 says nothing',
  ],
  [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_ENDPOINT says nothing'],
])('refuses the settings %o', (env, words) => {
  expect(() => readConfig({ ...env, DATA_DIR: '/tmp' })).toThrow(words)
})
