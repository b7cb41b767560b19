import { randomBytes } from 'node:crypto'
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../../test/directory.ts'
import { testStorage } from '../../../test/neighbours/storage-suite.ts'
import { newStorageKey } from './storage.ts'
import { openDiskStorage } from './storage-disk.ts'

const openFresh = async () => openDiskStorage(join(await freshDirectory(), 'files'))

testStorage('the disk', openFresh)

it('files are protected from other readers and from any change', async () => {
  const root = join(await freshDirectory(), 'files')
  const storage = await openDiskStorage(root)
  const key = newStorageKey()
  await storage.put(key, Readable.from([Buffer.from('x')]))
  expect((await stat(root)).mode & 0o777).toBe(0o700)
  expect((await stat(join(root, key.slice(0, 2), key.slice(2)))).mode & 0o777).toBe(0o400)
})

it('makes its directories before the first file, even if a crash interrupted it', async () => {
  const root = join(await freshDirectory(), 'files')
  await openDiskStorage(root)
  await rm(join(root, 'ff'), { recursive: true })
  await rm(join(root, '80'), { recursive: true })
  await openDiskStorage(root)
  expect((await readdir(root)).length).toBe(256)
})

it('the check of the disk fails if the disk is gone', async () => {
  const root = join(await freshDirectory(), 'files')
  const storage = await openDiskStorage(root)
  await chmod(root, 0o700)
  await rm(root, { recursive: true })
  await expect(storage.check()).rejects.toThrow()
})

it('reports one directory that is missing or no directory, though the rest works', async () => {
  const root = join(await freshDirectory(), 'files')
  const storage = await openDiskStorage(root)
  await storage.checkParts!()
  await rm(join(root, 'a7'), { recursive: true })
  await storage.check()
  await expect(storage.checkParts!()).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(join(root, 'a7'), '', { mode: 0o700 })
  await expect(storage.checkParts!()).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it('writes all bytes, however fast or slowly they arrive', async () => {
  const storage = await openFresh()
  const waits = [
    () => undefined,
    () => Promise.resolve(),
    () => new Promise((resolve) => setImmediate(resolve)),
    () => new Promise((resolve) => setTimeout(resolve, 1)),
  ]
  for (let round = 0; round < 12; round++) {
    const pieces = Array.from({ length: round * 30 }, (_, index) => randomBytes((index * 37 * round) % 9000))
    const key = newStorageKey()
    await storage.append(
      key,
      0,
      Readable.from(
        (async function* () {
          for (const [index, piece] of pieces.entries()) {
            yield piece
            await waits[(index * round) % waits.length]!()
          }
        })(),
      ),
    )
    await storage.seal(key)
    expect((await buffer(await storage.open(key))).equals(Buffer.concat(pieces))).toBe(true)
  }
})
