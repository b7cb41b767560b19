import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ChangedMeanwhile,
  LostBytes,
  MissingBytes,
  newStorageKey,
  type Place,
} from '../../src/server/storage/storage.ts'

/** Tests what every storage must do, whether it is a disk or a bucket. */
export function testStorage(name: string, open: () => Promise<Place>): void {
  describe(name, () => {
    let storage: Place
    beforeAll(async () => {
      storage = await open()
    })

    const from = (...chunks: (Buffer | string)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
    const read = async (key: string, range?: { first: number; last: number }) =>
      buffer(await storage.open(key, range))
    /** Makes a stream that fails after some bytes, as a connection does. */
    const breaking = (text: string) =>
      Readable.from(
        (async function* () {
          yield Buffer.from(text)
          throw new Error('the connection broke')
        })(),
      )

    it('a storage is empty until something is stored', async () => {
      const fresh = await open()
      expect(await fresh.isEmpty()).toBe(true)
      await fresh.put(newStorageKey(), from('a'))
      expect(await fresh.isEmpty()).toBe(false)
    })

    it('lists whole and partial files', async () => {
      const fresh = await open()
      const [whole, half, gone] = [newStorageKey(), newStorageKey(), newStorageKey()]
      await fresh.put(whole, from('abc'))
      await fresh.append(half, 0, from('abcd'))
      await fresh.append(half, 4, from('efg'))
      await fresh.put(gone, from('x'))
      await fresh.remove(gone)
      const listed = new Map((await Array.fromAsync(fresh.list())).map(({ key, size }) => [key, size]))
      expect(listed).toEqual(
        new Map([
          [whole, 3],
          [half, 7],
        ]),
      )
    })

    it('returns the bytes that were stored', async () => {
      const [key, bytes] = [newStorageKey(), randomBytes(3_000_000)]
      await storage.put(key, from(bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)))
      expect((await read(key)).equals(bytes)).toBe(true)
    })

    it('stores an empty stream', async () => {
      const key = newStorageKey()
      await storage.put(key, from())
      expect(await read(key)).toHaveLength(0)
    })

    it('opens a range, including both ends', async () => {
      const key = newStorageKey()
      await storage.put(key, from('0123456789'))
      expect(String(await read(key, { first: 2, last: 4 }))).toBe('234')
      expect(String(await read(key, { first: 9, last: 9 }))).toBe('9')
    })

    it('reads a small range in one call', async () => {
      const key = newStorageKey()
      await storage.put(key, from('0123456789'))
      expect(String(await storage.read(key, { first: 0, last: 9 }))).toBe('0123456789')
      expect(String(await storage.read(key, { first: 3, last: 3 }))).toBe('3')
    })

    it.each([
      { first: 5, last: 10 },
      { first: 10, last: 10 },
      { first: 40, last: 50 },
    ])('ends with an error if a range is not all there: %o', async (range) => {
      const key = newStorageKey()
      await storage.put(key, from('0123456789'))
      await expect(storage.read(key, range)).rejects.toThrow()
      await expect(read(key, range)).rejects.toThrow()
    })

    it('knows whether a key is whole', async () => {
      const key = newStorageKey()
      expect(await storage.find(key)).toBeNull()
      await storage.append(key, 0, from('abc'))
      expect(await storage.find(key)).toEqual({ size: 3, isWhole: false })
      await storage.seal(key)
      expect(await storage.find(key)).toEqual({ size: 3, isWhole: true })
    })

    it('never overwrites a key', async () => {
      const key = newStorageKey()
      await storage.put(key, from('first'))
      await expect(storage.put(key, from('second'))).rejects.toThrow()
      expect(String(await read(key))).toBe('first')
    })

    it('appends piece by piece, and continues where it stopped', async () => {
      const key = newStorageKey()
      expect(await storage.length(key)).toBe(0)
      expect(await storage.append(key, 0, from('abc', 'def'))).toBe(6)
      expect(await storage.append(key, 6, from('ghi'))).toBe(9)
      expect(await storage.length(key)).toBe(9)
      await storage.seal(key)
      expect(String(await read(key))).toBe('abcdefghi')
    })

    it('keeps the bytes from before a broken connection, and continues from there', async () => {
      const key = newStorageKey()
      await expect(storage.append(key, 0, breaking('abcdef'))).rejects.toThrow('the connection broke')
      expect(await storage.length(key)).toBe(6)
      expect(await storage.append(key, 6, from('gh'))).toBe(8)
      await storage.seal(key)
      expect(String(await read(key))).toBe('abcdefgh')
    })

    it('refuses to append before the end: another writer was first', async () => {
      const key = newStorageKey()
      await storage.append(key, 0, from('abc'))
      await storage.append(key, 3, from('def'))
      for (const offset of [0, 1, 3, 4])
        await expect(storage.append(key, offset, from('X'))).rejects.toThrow(ChangedMeanwhile)
      await storage.seal(key)
      expect(String(await read(key))).toBe('abcdef')
    })

    it('cuts off bytes that were never acknowledged, and appends from there', async () => {
      const key = newStorageKey()
      await storage.cut(key, 0)
      await storage.append(key, 0, from('abc'))
      await storage.append(key, 3, from('def'))
      await storage.append(key, 6, from('ghi'))
      await storage.cut(key, 9)
      expect(await storage.length(key)).toBe(9)
      await storage.cut(key, 3)
      expect(await storage.length(key)).toBe(3)
      await storage.append(key, 3, from('XY'))
      await storage.seal(key)
      expect(String(await read(key))).toBe('abcXY')
    })

    it('reports lost bytes if there are fewer than were acknowledged', async () => {
      const [key, sealed] = [newStorageKey(), newStorageKey()]
      await expect(storage.cut(key, 1)).rejects.toThrow(LostBytes)
      await storage.append(key, 0, from('abc'))
      await expect(storage.cut(key, 4)).rejects.toThrow(LostBytes)
      await storage.append(sealed, 0, from('abc'))
      await storage.append(sealed, 3, from('def'))
      await storage.seal(sealed)
      await storage.cut(sealed, 6)
      for (const length of [0, 3, 7]) await expect(storage.cut(sealed, length)).rejects.toThrow(LostBytes)
      expect(String(await read(sealed))).toBe('abcdef')
    })

    it('appends nothing from an empty stream', async () => {
      const key = newStorageKey()
      await storage.append(key, 0, from('abc'))
      expect(await storage.append(key, 3, from())).toBe(3)
      expect(await storage.length(key)).toBe(3)
    })

    it('refuses to seal an unknown key', async () => {
      await expect(storage.seal(newStorageKey())).rejects.toThrow(MissingBytes)
    })

    it('refuses to leave a hole', async () => {
      const key = newStorageKey()
      await storage.append(key, 0, from('abc'))
      await expect(storage.append(key, 4, from('x'))).rejects.toThrow()
      expect(await storage.length(key)).toBe(3)
    })

    it('never changes sealed or stored bytes; sealing twice is allowed', async () => {
      const [appended, put] = [newStorageKey(), newStorageKey()]
      await storage.append(appended, 0, from('abc'))
      await storage.seal(appended)
      await storage.seal(appended)
      await storage.put(put, from('abc'))
      for (const key of [appended, put]) {
        await expect(storage.append(key, 3, from('d'))).rejects.toThrow()
        expect(String(await read(key))).toBe('abc')
      }
    })

    it('removes whole, partial and missing keys, even twice', async () => {
      const [whole, half, none] = [newStorageKey(), newStorageKey(), newStorageKey()]
      await storage.put(whole, from('abc'))
      await storage.append(half, 0, from('abc'))
      for (const key of [whole, half, none, whole]) await storage.remove(key)
      for (const key of [whole, half, none]) {
        await expect(storage.open(key)).rejects.toThrow(MissingBytes)
        expect(await storage.length(key)).toBe(0)
      }
    })

    it('removes what a broken put left', async () => {
      const key = newStorageKey()
      await expect(storage.put(key, breaking('abc'))).rejects.toThrow('the connection broke')
      await storage.remove(key)
      await expect(storage.open(key)).rejects.toThrow(MissingBytes)
    })

    it.each(['../../etc/passwd', '', 'abc', `${'a'.repeat(31)}/`, 'A'.repeat(32)])(
      'refuses the key %j',
      async (key) => {
        await expect(storage.put(key, from('x'))).rejects.toThrow('Not a storage key')
        await expect(storage.open(key)).rejects.toThrow('Not a storage key')
        await expect(storage.remove(key)).rejects.toThrow('Not a storage key')
      },
    )

    it('a storage passes its own check', async () => {
      await storage.check()
    })
  })
}
