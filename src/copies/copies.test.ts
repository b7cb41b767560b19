import { execFileSync } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDirectory } from '../../test/directory.ts'
import { freshDatabase } from '../../test/database.ts'
import { readBytes, readRows } from '../../test/snapshot.ts'
import { openDiskStorage } from '../server/storage-disk.ts'
import { foldersByName, makeFile, makeProject, makeReport, makeUser } from '../../test/make.ts'
import { checkArchive } from '../server/check-archive.ts'
import { backUp } from './backup.db.ts'
import { restore } from './restore.db.ts'

let test: TestApp
let directory: string
beforeAll(async () => {
  test = await freshApp()
  directory = await freshDirectory()
  const person = await makeUser(test.db, { name: 'Åse\tØrsted\\' })
  const project = await makeProject(test.db, { members: [person.id] })
  const folders = await foldersByName(test.db, project.id)
  for (const size of [1, 511, 512, 513, 3_000_000])
    await makeFile(test, folders.Budget!, { bytes: Buffer.alloc(size, 'æ#%?') })
  await makeReport(test.db, person.id, [{ name: 'K/S Havn', equity: -5 }])
})

it('makes a copy that any tar can read, and that sha256sum can check', async () => {
  const file = join(directory, 'copy.tar')
  const { blobs, faults } = await backUp(test, file)
  expect([blobs, faults]).toEqual([5, []])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const checked = await checkArchive(file)
  expect(checked).toMatchObject({ blobs: 5, damages: [], faults: [], head: { format: 1 } })
  const out = join(directory, 'out')
  execFileSync('mkdir', [out])
  execFileSync('tar', ['xf', file, '-C', out])
  execFileSync('sh', ['-c', 'cat checksums/* manifest.sha256 | sha256sum -c --quiet --strict'], { cwd: out })
  expect((await readdir(directory)).sort()).toEqual(['copy.tar', 'out'])
})

const emptyPlace = async () => {
  const { db } = await freshDatabase({ migrated: false })
  return { db, storage: await openDiskStorage(await freshDirectory()) }
}

it('restores a copy into an empty place: every row, every byte', async () => {
  const file = join(directory, 'whole.tar')
  await backUp(test, file)
  const place = await emptyPlace()
  expect(await restore(place, file)).toMatchObject({ blobs: 5, faults: [], migrated: [] })
  expect(await readRows(place.db)).toEqual(await readRows(test.db))
  expect(await readBytes(place.storage)).toEqual(await readBytes(test.storage))
})
