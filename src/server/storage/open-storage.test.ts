import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../../../test/directory.ts'
import { testStorage } from '../../../test/neighbours/storage-suite.ts'
import { readConfig } from '../../config.ts'
import { joinPlaces, openStorage } from './open-storage.ts'
import { openDiskStorage } from './storage-disk.ts'
import { MissingBytes, newStorageKey, type Place } from './storage.ts'

const from = (text: string) => Readable.from([Buffer.from(text)])
const openPlace = async () => openDiskStorage(join(await freshDirectory(), 'files'))

// A second directory stands for the bucket: these tests are about where bytes go.
async function makeTwo(main: 'disk' | 's3') {
  const [disk, s3] = [await openPlace(), await openPlace()]
  const storage = joinPlaces(disk, s3, main)
  const find = async (key: string) => (await disk.find(key)) ?? s3.find(key)
  return { disk, s3, storage, joined: { ...storage, find } satisfies Place }
}

for (const main of ['disk', 's3'] as const)
  testStorage(`two places of which ${main} takes what is new`, async () => (await makeTwo(main)).joined)

describe('two places', () => {
  it.each(['disk', 's3'] as const)('new bytes go into the main storage, %s', async (main) => {
    const { disk, s3, storage } = await makeTwo(main)
    const [put, appended] = [newStorageKey(), newStorageKey()]
    await storage.put(put, from('abc'))
    await storage.append(appended, 0, from('abc'))
    const other = main === 'disk' ? s3 : disk
    expect(await other.isEmpty()).toBe(true)
    expect(await storage.isEmpty()).toBe(false)
  })

  it.each(['disk', 's3'] as const)(
    'an upload continues where it began, even if %s is the main storage now',
    async (main) => {
      const { disk, s3, storage } = await makeTwo(main)
      const other = main === 'disk' ? s3 : disk
      const key = newStorageKey()
      await other.append(key, 0, from('abc'))
      expect(await storage.length(key)).toBe(3)
      expect(await storage.append(key, 3, from('def'))).toBe(6)
      await storage.seal(key)
      expect(await other.find(key)).toEqual({ size: 6, isWhole: true })
      expect(String(await buffer(await storage.open(key)))).toBe('abcdef')
      expect(String(await storage.read(key, { first: 1, last: 2 }))).toBe('bc')
    },
  )

  it('bytes in both storages are listed and read once, and removed from both', async () => {
    const { disk, s3, storage } = await makeTwo('s3')
    const key = newStorageKey()
    for (const place of [disk, s3]) await place.put(key, from('abc'))
    expect(await Array.fromAsync(storage.list())).toEqual([{ key, size: 3 }])
    await storage.remove(key)
    expect([await disk.find(key), await s3.find(key)]).toEqual([null, null])
    await expect(storage.open(key)).rejects.toThrow(MissingBytes)
  })

  it('reads a file in the bucket while only half of it is on the disk', async () => {
    const { disk, s3, storage } = await makeTwo('disk')
    const key = newStorageKey()
    await s3.put(key, from('whole'))
    await disk.append(key, 0, from('wh'))
    expect(String(await buffer(await storage.open(key)))).toBe('whole')
    expect(String(await storage.read(key, { first: 0, last: 4 }))).toBe('whole')
  })

  it('two storages are ready only if both are', async () => {
    const { disk, s3 } = await makeTwo('disk')
    const broken = { ...s3, check: () => Promise.reject(new Error('away')) }
    await expect(joinPlaces(disk, broken, 'disk').check()).rejects.toThrow('away')
  })
})

it('without a bucket only the disk is used', async () => {
  const DATA_DIR = await freshDirectory()
  const storage = await openStorage(readConfig({ DATA_DIR }), DATA_DIR)
  expect(storage.bucket).toBeNull()
  expect('sign' in storage).toBe(false)
  await storage.put(newStorageKey(), from('abc'))
})
