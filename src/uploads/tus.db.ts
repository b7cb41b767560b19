import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { finishBlob, removeLate } from '../server/blobs.db.ts'
import type { Database } from '../server/database.ts'
import { TooLarge } from '../server/measure.ts'
import type { Storage } from '../server/storage.ts'
import { TEMPORARY_HOURS } from './temporary-file.ts'

/** A temporary file, in whole or in part. */
export type Arriving = {
  userId: number
  hashName: string
  name: string
  size: number
  /** How much of it is there; all of it only when it is stored. */
  offset: number
  expiresAt: Date
  /** Null until it is stored. */
  type: string | null
  blob: { id: number; key: string }
}

/** So many are known at once; of others the row is read for each piece, and the whole in the end. */
const MOST_KNOWN = 1000

/** One that is coming, and the hash of what has come. */
type Known = { arriving: Arriving; hash: Hash }

/**
 * Takes files piece by piece. What is acknowledged is on the disk; what a crash leaves is found there, and is gone on with.
 * They are hashed as they come, so that a large one need not be read again when it is whole.
 */
export class Arrivals {
  #db: Database
  #storage: Storage
  #known = new Map<string, Known>()

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
      // What others send to the store themselves never comes in pieces too: nobody would know what was hashed.
      .where((of) => of.or([of('state', '=', 'stored'), of('type', 'is', null)]))
      .executeTakeFirst()
    if (!row) {
      this.forget(userId, hashName)
      return null
    }
    const isStored = row.state === 'stored'
    const size = isStored ? row.size! : row.announced!
    const offset = isStored ? size : await this.#storage.length(row.key)
    const expiresAt = new Date(row.created_at.getTime() + TEMPORARY_HOURS * 3_600_000)
    const found = { userId, hashName, name: row.name, size, offset, expiresAt, type: row.type, blob: row }
    if (this.#known.get(keyOf(found))?.arriving.offset !== offset) this.forget(userId, hashName)
    return isStored || offset < size ? found : this.#finish(found)
  }

  /** Adds what comes, and says how far it is then; what came before a connection breaks is kept. */
  async add(arriving: Arriving, bytes: Readable): Promise<Arriving> {
    const { blob, size, offset } = arriving
    const hash = this.#takeHash(arriving)
    const pieces = hashed(bytes, size - offset, hash)
    try {
      const further = { ...arriving, offset: await this.#storage.append(blob.key, offset, pieces) }
      if (further.offset === size) return await this.#finish(further, hash?.digest('hex'))
      if (hash) this.#know({ arriving: further, hash })
      return further
    } finally {
      await this.#clearGivenUp(blob).catch(() => undefined) // what else went wrong is told
    }
  }

  forget(userId: number, hashName: string): void {
    this.#known.delete(keyOf({ userId, hashName }))
  }

  async #finish(arriving: Arriving, sha256?: string): Promise<Arriving> {
    this.forget(arriving.userId, arriving.hashName)
    const { type } = await finishBlob(this.#db, this.#storage, arriving.blob, arriving.size, sha256)
    return { ...arriving, offset: arriving.size, type }
  }

  /** Another instance may have given it up meanwhile, and removed what it saw: what came after that is nobody's. */
  async #clearGivenUp({ id, key }: Arriving['blob']): Promise<void> {
    const blob = await this.#db.selectFrom('blobs').select('state').where('id', '=', id).executeTakeFirst()
    await removeLate(this.#db, this.#storage, blob, key)
  }

  /** Of what is there, if it is known. Who takes it must give it back, or it is not: a piece may break off anywhere. */
  #takeHash(arriving: Arriving): Hash | undefined {
    const known = this.#known.get(keyOf(arriving))
    this.#known.delete(keyOf(arriving))
    if (arriving.offset === 0) return createHash('sha256')
    return known?.arriving.offset === arriving.offset ? known.hash : undefined
  }

  #know(known: Known): void {
    this.#known.set(keyOf(known.arriving), known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN) this.#known.delete(oldest!)
  }
}

const keyOf = ({ userId, hashName }: Pick<Arriving, 'userId' | 'hashName'>) => `${userId} ${hashName}`

async function* hashed(bytes: Readable, most: number, hash?: Hash): AsyncGenerator<Buffer> {
  let size = 0
  // The connection is still needed for the answer.
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new TooLarge(most)
    hash?.update(chunk)
    yield chunk
  }
}
