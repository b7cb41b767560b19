import { LIFETIMES } from '../../base/lifetimes.ts'
import { createHash, randomBytes, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { finishBlob, removeLate } from '../../server/storage/blobs.db.ts'
import type { Database } from '../../server/database/database.ts'
import { TooLarge, type Piece } from '../../server/storage/measure.ts'
import { ChangedMeanwhile, LostBytes, type Storage } from '../../server/storage/storage.ts'
import { removeTemporaryFiles } from './temporary.db.ts'

declare module '../../server/database/database.ts' {
  interface Tables {
    upload_pieces: Piece & { hash_name: string }
  }
}

/** A temporary file, in whole or in part. */
export type Arriving = {
  userId: number
  hashName: string
  name: string
  size: number
  /** How much of it is acknowledged; all of it only when it is stored. */
  offset: number
  /** Which call wrote to it last. */
  writer: string | null
  expiresAt: Date
  /** Null until it is stored. */
  type: string | null
  blob: { id: number; key: string }
}

/** So many are known at once; of others the row is read for each piece, and the whole in the end. */
const MOST_KNOWN = 1000

/** One that is coming, and the hash of what has come. */
type Known = { arriving: Arriving; hash: Hash }

type Options = {
  db: Database
  storage: Storage
  complain?: (about: Record<string, unknown>, message: string) => void
}

/** A piece that is not what its sender's sum says; nothing of it is kept. */
export class DifferentPiece extends Error {}

/** A lost commit of this only costs sending again: nobody waits for the disk. */
const QUICKLY = sql`quick as materialized (select set_config('synchronous_commit', 'off', true))`

/**
 * Takes files piece by piece. What is acknowledged is on the disk, and stands in the row once it is: never is a file's size
 * taken for it. They are hashed as they come, so that a large one need not be read again when it is whole.
 */
export class Arrivals {
  #db: Database
  #storage: Storage
  #complain: NonNullable<Options['complain']>
  #known = new Map<string, Known>()

  constructor({ db, storage, complain = () => undefined }: Options) {
    this.#db = db
    this.#storage = storage
    this.#complain = complain
  }

  /** Somebody's own, while it is younger than a day. One that is whole but was never called so is now. */
  async find(userId: number, hashName: string): Promise<Arriving | null> {
    const row = await this.#db
      .selectFrom('temporary_files')
      .innerJoin('blobs', 'blobs.id', 'temporary_files.blob_id')
      .select(['name', 'announced', 'acknowledged', 'writer', 'temporary_files.created_at'])
      .select(['blobs.id', 'key', 'state', 'size', 'type'])
      .where('hash_name', '=', hashName)
      .where('user_id', '=', userId)
      .where(
        'temporary_files.created_at',
        '>',
        sql<Date>`now() - make_interval(secs => ${LIFETIMES.temporaryFileMs / 1000})`,
      )
      // What others send to the store themselves never comes in pieces too: nobody would know what was hashed.
      .where((of) => of.or([of('state', '=', 'stored'), of('type', 'is', null)]))
      .executeTakeFirst()
    if (!row) {
      this.forget(userId, hashName)
      return null
    }
    const isStored = row.state === 'stored'
    const size = isStored ? row.size! : row.announced!
    const offset = isStored ? size : row.acknowledged
    const expiresAt = new Date(row.created_at.getTime() + LIFETIMES.temporaryFileMs)
    const { name, type, writer } = row
    const found = { userId, hashName, name, size, offset, writer, expiresAt, type, blob: row }
    if (this.#known.get(keyOf(found))?.arriving.offset !== offset) this.forget(userId, hashName)
    if (isStored || offset < size) return found
    try {
      return await this.#finish(found)
    } catch (error) {
      if (!(error instanceof LostBytes)) throw error
      await this.#giveUp(found, error)
      return null
    }
  }

  /**
   * Adds what comes, and says how far it is then. What came before a connection breaks is kept, unless the sender gave the sum of
   * the piece: of half a piece nobody can tell whether it is right.
   */
  async add(arriving: Arriving, bytes: Readable, sha256?: string): Promise<Arriving> {
    const { blob, size, offset } = arriving
    try {
      const { hash, isClean } = this.#takeHash(arriving)
      const writer = await this.#takeOver(arriving, isClean)
      const piece = new Coming(bytes, size - offset, hash, sha256)
      const end = await this.#storage.append(blob.key, offset, piece.chunks())
      const further = { ...arriving, offset: end, writer }
      await this.#acknowledge(further, { first: offset, size: end - offset, sha256 })
      if (hash) this.#know({ arriving: further, hash })
      if (piece.broken) throw piece.broken.reason
      return end === size ? await this.#finish(further, hash?.digest('hex')) : further
    } catch (error) {
      if (error instanceof LostBytes) await this.#giveUp(arriving, error)
      if (error instanceof DifferentPiece) await this.#storage.cut(blob.key, offset)
      throw error
    } finally {
      await this.#clearGivenUp(blob).catch(() => undefined) // what else went wrong is told
    }
  }

  forget(userId: number, hashName: string): void {
    this.#known.delete(keyOf({ userId, hashName }))
  }

  /** From here on nobody who began before acknowledges anything. Unless this process wrote the last of it, what is beyond goes. */
  async #takeOver({ hashName, offset, writer, blob }: Arriving, isClean: boolean): Promise<string> {
    const own = randomBytes(8).toString('hex')
    const { rows } = await sql`
      with ${QUICKLY}
      update temporary_files set writer = ${own} from quick
      where hash_name = ${hashName} and acknowledged = ${offset} and writer is not distinct from ${writer}
      returning hash_name`.execute(this.#db)
    if (rows.length === 0) throw new ChangedMeanwhile(blob.key)
    if (isClean) return own
    await this.#storage.cut(blob.key, offset)
    const row = await this.#db
      .selectFrom('temporary_files')
      .select('writer')
      .where('hash_name', '=', hashName)
      .executeTakeFirst()
    if (row?.writer !== own) throw new ChangedMeanwhile(blob.key) // what was cut may have been theirs
    return own
  }

  /** What was synced counts from now on. The last piece is waited for: what is sealed must be known to be whole. */
  async #acknowledge(
    { hashName, offset, size, writer, blob }: Arriving,
    piece: { first: number; size: number; sha256: string | undefined },
  ): Promise<void> {
    const isQuick = offset < size
    const { rows } = await sql`
      with ${isQuick ? QUICKLY : sql`quick as materialized (select 1)`}, further as (
        update temporary_files set acknowledged = ${offset} from quick
        where hash_name = ${hashName} and writer = ${writer} returning hash_name
      ), sum as (
        insert into upload_pieces (hash_name, first, size, sha256)
        select hash_name, ${piece.first}::bigint, ${piece.size}::bigint, ${piece.sha256 ?? null}::text from further
        where ${piece.sha256 !== undefined && piece.size > 0}
      )
      select hash_name from further`.execute(this.#db)
    if (rows.length === 0) throw new ChangedMeanwhile(blob.key)
  }

  async #finish(arriving: Arriving, sha256?: string): Promise<Arriving> {
    const { userId, hashName, blob, size } = arriving
    this.forget(userId, hashName)
    if (sha256 === undefined) await this.#storage.cut(blob.key, size)
    const pieces = sha256 === undefined ? await this.#listPieces(hashName) : []
    const { type } = await finishBlob(this.#db, this.#storage, blob, size, { sha256, pieces })
    return { ...arriving, offset: size, type }
  }

  #listPieces(hashName: string): Promise<Piece[]> {
    return this.#db
      .selectFrom('upload_pieces')
      .select(['first', 'size', 'sha256'])
      .where('hash_name', '=', hashName)
      .orderBy('first')
      .execute()
  }

  /** Its sender begins anew. */
  async #giveUp({ userId, hashName, blob }: Arriving, err: Error): Promise<void> {
    this.#complain({ err, blob: blob.id }, 'an upload has lost bytes that were acknowledged')
    this.forget(userId, hashName)
    await removeTemporaryFiles({ db: this.#db, storage: this.#storage }, userId, [hashName])
  }

  /** Another instance may have given it up meanwhile, and removed what it saw: what came after that is nobody's. */
  async #clearGivenUp({ id, key }: Arriving['blob']): Promise<void> {
    const blob = await this.#db.selectFrom('blobs').select('state').where('id', '=', id).executeTakeFirst()
    await removeLate(this.#db, this.#storage, blob, key)
  }

  /** Of what is there, if it is known. Who takes it must give it back, or it is not: a piece may break off anywhere. */
  #takeHash(arriving: Arriving): { hash: Hash | undefined; isClean: boolean } {
    const known = this.#known.get(keyOf(arriving))
    this.#known.delete(keyOf(arriving))
    if (known?.arriving.offset === arriving.offset) return { hash: known.hash, isClean: true }
    return { hash: arriving.offset === 0 ? createHash('sha256') : undefined, isClean: false }
  }

  #know(known: Known): void {
    this.#known.set(keyOf(known.arriving), known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN) this.#known.delete(oldest!)
  }
}

const keyOf = ({ userId, hashName }: Pick<Arriving, 'userId' | 'hashName'>) => `${userId} ${hashName}`

/** A piece as it comes: hashed, counted, and compared with its sender's sum. */
class Coming {
  /** Why it ended early; what came until then is to be kept. */
  broken: { reason: unknown } | undefined
  #bytes: Readable
  #most: number
  #hash: Hash | undefined
  #expected: string | undefined

  constructor(bytes: Readable, most: number, hash: Hash | undefined, expected: string | undefined) {
    this.#bytes = bytes
    this.#most = most
    this.#hash = hash
    this.#expected = expected
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const own = this.#expected === undefined ? undefined : createHash('sha256')
    let size = 0
    try {
      // The connection is still needed for the answer.
      for await (const chunk of this.#bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > this.#most) throw new TooLarge(this.#most)
        this.#hash?.update(chunk)
        own?.update(chunk)
        yield chunk
      }
    } catch (reason) {
      if (own || reason instanceof TooLarge) throw reason
      this.broken = { reason }
    }
    if (own && own.digest('hex') !== this.#expected) throw new DifferentPiece()
  }
}
