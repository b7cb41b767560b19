import { once } from 'node:events'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { finishBlob } from '../server/blobs.db.ts'
import type { Database } from '../server/database.ts'
import { Measure, TooLarge } from '../server/measure.ts'
import type { Storage } from '../server/storage.ts'
import { TEMPORARY_HOURS } from './temporary-file.ts'

/** A temporary file, in whole or in part. */
export type Arriving = {
  name: string
  size: number
  /** How much of it is there; all of it only when it is stored. */
  offset: number
  expiresAt: Date
  /** Null until it is stored. */
  type: string | null
  blob: { id: number; key: string }
}

/** More are measured by reading them once they are whole. */
const MEASURED_AT_ONCE = 100

type Running = { measure: Measure; offset: number }

/**
 * Takes files piece by piece. What is acknowledged is on the disk; what a crash leaves is found there, and is gone on with.
 * They are measured as they come, so that a large one need not be read again when it is whole.
 */
export class Arrivals {
  #db: Database
  #storage: Storage
  #running = new Map<string, Running>()

  constructor({ db, storage }: { db: Database; storage: Storage }) {
    this.#db = db
    this.#storage = storage
  }

  /** Somebody's own, while it is younger than a day. One that is whole but was never called so is now. */
  async find(userId: number, hashName: string): Promise<Arriving | null> {
    const row = await this.#db
      .selectFrom('temporary_files')
      .innerJoin('blobs', 'blobs.id', 'temporary_files.blob_id')
      .select(['name', 'announced', 'temporary_files.created_at', 'blobs.id', 'key', 'state', 'size', 'type'])
      .where('hash_name', '=', hashName)
      .where('user_id', '=', userId)
      .where('temporary_files.created_at', '>', sql<Date>`now() - make_interval(hours => ${TEMPORARY_HOURS})`)
      .executeTakeFirst()
    if (!row) return null
    const expiresAt = new Date(row.created_at.getTime() + TEMPORARY_HOURS * 3_600_000)
    const isStored = row.state === 'stored'
    const size = isStored ? row.size! : row.announced!
    const offset = isStored ? size : await this.#storage.length(row.key)
    const found = { name: row.name, size, offset, expiresAt, type: row.type, blob: row }
    return isStored || offset < size ? found : this.#finish(found)
  }

  /** Adds what comes, and says how far it is then; what came before a connection breaks is kept. */
  async add(arriving: Arriving, bytes: Readable): Promise<Arriving> {
    const { blob, size, offset } = arriving
    const running = this.#runningAt(blob.key, offset, size)
    try {
      const pieces = Readable.from(measured(bytes, size - offset, running))
      const length = await this.#storage.append(blob.key, offset, pieces)
      const further = { ...arriving, offset: length }
      return length < size ? further : await this.#finish(further)
    } catch (error) {
      // Not all that was measured need have been written.
      if (running?.offset !== (await this.#storage.length(blob.key))) this.forget(arriving)
      throw error
    }
  }

  forget({ blob }: Arriving): void {
    this.#running.delete(blob.key)
  }

  async #finish(arriving: Arriving): Promise<Arriving> {
    const { blob, size } = arriving
    const running = this.#running.get(blob.key)
    this.#running.delete(blob.key)
    const whole = running?.offset === size ? running.measure : undefined
    const { type } = await finishBlob(this.#db, this.#storage, blob, size, whole)
    return { ...arriving, offset: size, type }
  }

  #runningAt(key: string, offset: number, size: number): Running | undefined {
    const known = this.#running.get(key)
    this.#running.delete(key)
    const running = offset === 0 ? { measure: new Measure(size), offset } : known
    if (running?.offset !== offset) return undefined
    running.measure.resume()
    this.#running.set(key, running) // the last again
    const [oldest] = this.#running.keys()
    if (this.#running.size > MEASURED_AT_ONCE) this.#running.delete(oldest!)
    return running
  }
}

async function* measured(bytes: Readable, most: number, running?: Running): AsyncGenerator<Buffer> {
  let size = 0
  // The connection is still needed for the answer.
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new TooLarge(most)
    if (running) {
      running.offset += chunk.length
      if (!running.measure.write(chunk)) await once(running.measure, 'drain')
    }
    yield chunk
  }
}

type Turn = { stop: () => void; over: Promise<void> }

/** One request at a time for each file; the newest ends the one before it, which may hang on a dead connection. */
export class Turns {
  #last = new Map<string, Turn>()

  async take<Result>(key: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const turn = { stop, over }
    this.#last.set(key, turn)
    before?.stop()
    await before?.over
    try {
      return await work()
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
      end()
    }
  }
}
