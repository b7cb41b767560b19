import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { foldersByName, makeFile, makeProject } from '../../../test/make.ts'
import { verify } from '../../copies/verify.db.ts'
import { listNotices } from '../../log/notices/notices.db.ts'
import { removeBlob } from '../../server/storage/blobs.db.ts'
import { keepHouse } from '../../work.ts'
import { readByNight } from './damage.db.ts'

const SIZE = 1000

let test: TestApp
let blobs: { id: number; key: string }[]
beforeEach(async () => {
  test = await freshApp()
  const folder = (await foldersByName(test.db, (await makeProject(test.db)).id)).Budget!
  for (const letter of 'abcde') await makeFile(test, folder, { bytes: letter.repeat(SIZE) })
  blobs = await test.db.selectFrom('blobs').select(['id', 'key']).orderBy('id').execute()
})

const pathOf = ({ key }: { key: string }) => join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))

/** Damages a blob. Returns a function that repairs it. */
async function spoil(blob: { key: string }): Promise<() => Promise<void>> {
  const bytes = await readFile(pathOf(blob))
  await chmod(pathOf(blob), 0o600)
  await writeFile(pathOf(blob), 'x', { flag: 'r+' })
  return () => writeFile(pathOf(blob), bytes)
}

const notices = async () => (await listNotices(test.db, 'administrator')).map(({ text }) => text)
const TEXT =
  'på serveren. Den, der driver serveren, kan se hvilke med ”npm run verify” og hente dem fra en sikkerhedskopi.'

it('each night reads up to its limit, continues where the last one stopped, and starts over at the end', async () => {
  const bound = { mostBytes: 2 * SIZE }
  const mend = await spoil(blobs[4]!)
  expect(await readByNight(test, bound)).toEqual({ read: 2, bytes: 2 * SIZE, damaged: 0 })
  expect(await readByNight(test, bound)).toEqual({ read: 2, bytes: 2 * SIZE, damaged: 0 })
  expect(await notices()).toEqual([])
  expect(await readByNight(test, bound)).toEqual({ read: 2, bytes: 2 * SIZE, damaged: 1 })
  expect(await notices()).toEqual([`Én fil er beskadiget eller mangler ${TEXT}`])
  await mend()
})

it('the nightly job reads files and notifies the office about damage', { timeout: 120_000 }, async () => {
  await spoil(blobs[2]!)
  const job = { name: 'read-by-night', retryLimit: 0, retrySeconds: 0 }
  await test.db.transaction().execute((trx) => test.jobs.enqueue(trx, job, {}))
  await expect.poll(test.logged, { timeout: 60_000 }).toContain('"msg":"stored files read"')
  expect(await notices()).toEqual([`Én fil er beskadiget eller mangler ${TEXT}`])
})

it('a night reads each blob at most once, and at least one blob', async () => {
  expect(await readByNight(test, { mostBytes: 1e9 })).toMatchObject({ read: 5, damaged: 0 })
  expect(await readByNight(test, { mostBytes: 1 })).toMatchObject({ read: 1 })
  expect(await readByNight(test, { mostBytes: 1e9, mostMs: -1 })).toMatchObject({ read: 1 })
  expect(await readByNight(test, { mostBytes: 0 })).toMatchObject({ read: 0 })
})

it('the notice says how many files are damaged, and ends when all are repaired', async () => {
  const mend = [await spoil(blobs[1]!), await spoil(blobs[3]!)]
  await readByNight(test, { mostBytes: 1e9 })
  expect(await notices()).toEqual([`2 filer er beskadiget eller mangler ${TEXT}`])
  await mend[0]!()
  expect(await readByNight(test, { mostBytes: 1e9 })).toEqual({ read: 5, bytes: 5 * SIZE, damaged: 1 })
  expect(await notices()).toEqual([`Én fil er beskadiget eller mangler ${TEXT}`])
  await mend[1]!()
  await readByNight(test, { mostBytes: 1 }) // damaged blobs are read first
  expect(await notices()).toEqual([])
})

it('the notice ends when the damaged file is deleted for good', async () => {
  await test.storage.remove(blobs[2]!.key)
  await readByNight(test, { mostBytes: 1e9 })
  expect(await notices()).toHaveLength(1)
  await test.db.deleteFrom('files').where('blob_id', '=', blobs[2]!.id).execute()
  await removeBlob(test.db, test.storage, blobs[2]!.id)
  await keepHouse(test)
  expect(await notices()).toEqual([])
})

it('npm run verify adds the notice for what it finds, and ends it after the repair', async () => {
  const mend = await spoil(blobs[0]!)
  expect((await verify(test)).faults).toHaveLength(1)
  expect(await notices()).toEqual([`Én fil er beskadiget eller mangler ${TEXT}`])
  await mend()
  expect((await verify(test)).faults).toEqual([])
  expect(await notices()).toEqual([])
})
