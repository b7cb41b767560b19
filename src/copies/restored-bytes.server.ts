import { hashBytes, HashedBytes } from '../server/storage/measure.ts'
import { ChangedMeanwhile, type FileStorage } from '../server/storage/storage.ts'
import { readWhole, type Entry } from './archive-reader.server.ts'

const STORED_AT_ONCE = 8
const SMALL = 1024 * 1024

/** The bytes that a restore puts into the store: small files several at a time, large ones as they are read. */
export class RestoredBytes {
  /** Whether another process stores files in the same place. */
  isTaken = false
  #storage: FileStorage
  #isContinued: boolean
  #put: string[] = []
  #putting = new Set<Promise<void>>()
  #failed: { reason: unknown } | undefined

  constructor(storage: FileStorage, isContinued: boolean) {
    this.#storage = storage
    this.#isContinued = isContinued
  }

  /** `expected` is the row's checksum, or null for bytes that were already damaged in the copy. */
  async add(key: string, entry: Entry, expected: string | null): Promise<void> {
    if (entry.size > SMALL) return this.#store(key, entry.chunks, expected)
    const bytes = await readWhole(entry)
    if (this.#putting.size >= STORED_AT_ONCE) await Promise.race(this.#putting)
    const putting: Promise<void> = this.#store(key, [bytes], expected)
      .catch((reason: unknown) => void (this.#failed ??= { reason }))
      .finally(() => this.#putting.delete(putting))
    this.#putting.add(putting)
  }

  throwIfFailed(): void {
    if (this.#failed) throw this.#failed.reason
  }

  async finish(): Promise<void> {
    await Promise.all(this.#putting)
    this.throwIfFailed()
  }

  /** Removes the bytes that this restore stored, and no others. */
  async remove(): Promise<void> {
    await Promise.allSettled(this.#putting)
    for (let from = 0; from < this.#put.length; from += STORED_AT_ONCE)
      await Promise.all(this.#put.slice(from, from + STORED_AT_ONCE).map((key) => this.#storage.remove(key)))
  }

  async #store(
    key: string,
    bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
    expected: string | null,
  ): Promise<void> {
    if (this.#isContinued) {
      if (expected !== null && (await hashOf(this.#storage, key)) === expected) return this.#storage.seal(key)
      await this.#storage.remove(key)
    }
    const hashed = new HashedBytes(bytes)
    this.#put.push(key)
    try {
      await this.#storage.put(key, hashed)
    } catch (error) {
      // Another restore stored these bytes in the same place, so we must not remove them.
      const isTaken = error instanceof ChangedMeanwhile || (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (isTaken) this.#put = this.#put.filter((mine) => mine !== key)
      this.isTaken ||= isTaken
      throw error
    }
    if (expected !== null && hashed.digest() !== expected)
      throw new Error(`The bytes of blob ${key} are not those that its row tells of.`)
  }
}

/** Null if the bytes are not complete. */
async function hashOf(storage: FileStorage, key: string): Promise<string | null> {
  try {
    return await hashBytes(await storage.open(key))
  } catch {
    return null
  }
}
