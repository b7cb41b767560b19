import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { finishBlob, removeLate } from '../../server/storage/blobs.db.ts'
import type { Database } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { Summing, type ByteSums, type Piece } from '../../server/storage/measure.ts'
import { ChangedMeanwhile, LostBytes, type FileStorage } from '../../server/storage/storage.ts'
import { DifferentPiece, IncomingPiece } from './incoming-piece.server.ts'
import { isYoung, removeTemporaryFiles } from './temporary.db.ts'

/** A temporary file, whole or in part. */
export type Arriving = {
  userId: number
  hashName: string
  name: string
  size: number
  /** How many bytes are acknowledged; all of them only when the file is stored. */
  offset: number
  /** The call that wrote to it last. */
  writer: string | null
  expiresAt: Date
  /** Null until the file is stored. */
  type: string | null
  blob: { id: number; key: string }
}

/** How many uploads' sums are kept in memory; the other files are read again when they are whole. */
const MOST_KNOWN = 1000

/** An upload, and the sums of the bytes so far. */
type Known = { arriving: Arriving; sums: Summing }

type Options = {
  db: Database
  storage: FileStorage
  /**
   * Whether no other installation writes to the same store, so that the process with the upload's turn writes alone.
   */
  isAlone?: boolean
  complain?: (about: Record<string, unknown>, message: string) => void
}

/** The upload was removed while a piece of it arrived. */
export class RemovedUpload extends Error {}

/** Commits without waiting for the disk: a lost commit only costs sending a piece again. */
const QUICKLY = sql`quick as materialized (select set_config('synchronous_commit', 'off', true))`
const SAFELY = sql`quick as materialized (select 1)`

type Acknowledged = {
  hash_name: string
  writer: string | null
  offset: number
  first: number
  size: number
  sha256: string | null
}

const acknowledgeBy = (quick: typeof QUICKLY) =>
  prepare<Acknowledged, { hash_name: string }>(
    ({ hash_name: hashName, writer, offset, first, size, sha256 }) => sql`
      with ${quick}, further as (
        update temporary_files set acknowledged = ${offset}::bigint from quick
        where hash_name = ${hashName} and writer = ${writer} and acknowledged = ${first}::bigint returning hash_name
      ), sum as (
        insert into upload_pieces (hash_name, first, size, sha256)
        select hash_name, ${first}::bigint, ${size}::bigint, ${sha256}::text from further
        where ${sha256}::text is not null
      )
      select hash_name from further`,
  )
const acknowledgeQuickly = acknowledgeBy(QUICKLY)
const acknowledgeSafely = acknowledgeBy(SAFELY)

/**
 * Receives files in pieces. Bytes count once they are on the disk and the row acknowledges them; the size of a file on the
 * disk proves nothing. Hashes pieces as they arrive, so that a large file need not be read again when it is whole.
 */
export class Arrivals {
  #db: Database
  #storage: FileStorage
  #isAlone: boolean
  #complain: NonNullable<Options['complain']>
  #known = new Map<string, Known>()

  constructor({ db, storage, isAlone = false, complain = () => undefined }: Options) {
    this.#db = db
    this.#storage = storage
    this.#isAlone = isAlone
    this.#complain = complain
  }

  /**
   * Returns an upload that this process wrote to last and that continues at `offset`, without asking the database:
   * acknowledging the next piece shows whether that is still true.
   */
  recall(userId: number, hashName: string, offset: number): Arriving | null {
    const arriving = this.#known.get(keyOf({ userId, hashName }))?.arriving
    const isSame = this.#isAlone && arriving?.offset === offset && arriving.expiresAt.getTime() > Date.now()
    return isSame ? arriving : null
  }

  /** Finds a person's own upload younger than a day. Finishes one that is whole but was never finished. */
  async find(userId: number, hashName: string): Promise<Arriving | null> {
    const row = await this.#db
      .selectFrom('temporary_files')
      .innerJoin('blobs', 'blobs.id', 'temporary_files.blob_id')
      .select(['name', 'announced', 'acknowledged', 'writer', 'temporary_files.created_at'])
      .select(['blobs.id', 'key', 'state', 'size', 'type'])
      .where('hash_name', '=', hashName)
      .where('user_id', '=', userId)
      .where(isYoung('temporary_files.created_at'))
      // A file that a browser sends straight to the store never comes in pieces too: its hash would be unknown.
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
   * Adds a piece, and returns how far the upload is then. Keeps the bytes that came before a connection broke, unless the
   * sender gave the piece's sum: half a piece cannot be checked.
   */
  async add(arriving: Arriving, bytes: Readable, sha256?: string): Promise<Arriving> {
    const { blob, size, offset } = arriving
    let isThere = false
    try {
      const { sums, isClean, isRecalled } = this.#takeSums(arriving)
      const writer = isRecalled ? arriving.writer : await this.#takeOver(arriving, isClean)
      const piece = new IncomingPiece(bytes, size - offset, sums, sha256)
      const end = await this.#storage.append(blob.key, offset, piece.chunks())
      const further = { ...arriving, offset: end, writer }
      await this.#acknowledge(further, { first: offset, size: end - offset, sha256 })
      isThere = true
      if (sums) this.#know({ arriving: further, sums })
      if (piece.broken) throw piece.broken.reason
      return end === size ? await this.#finish(further, sums?.digest()) : further
    } catch (error) {
      if (error instanceof LostBytes) await this.#giveUp(arriving, error)
      if (error instanceof DifferentPiece) await this.#storage.cut(blob.key, offset)
      throw error
    } finally {
      if (!isThere) await this.#clearGivenUp(blob).catch(() => undefined) // the first error is reported
    }
  }

  forget(userId: number, hashName: string): void {
    this.#known.delete(keyOf({ userId, hashName }))
  }

  /** Stops earlier calls from acknowledging more. Unless this process wrote last, cuts the bytes beyond the offset. */
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
    if (row?.writer !== own) throw new ChangedMeanwhile(blob.key) // the cut bytes may have been the other call's
    return own
  }

  /** Acknowledges synced bytes. Waits for the disk after the last piece: only a file known to be whole may be sealed. */
  async #acknowledge(
    { hashName, offset, size, writer, blob }: Arriving,
    piece: { first: number; size: number; sha256: string | undefined },
  ): Promise<void> {
    const acknowledge = offset < size ? acknowledgeQuickly : acknowledgeSafely
    const [row] = await acknowledge(this.#db, {
      hash_name: hashName,
      writer,
      offset,
      first: piece.first,
      size: piece.size,
      sha256: piece.size > 0 ? (piece.sha256 ?? null) : null,
    })
    if (row) return
    // The sender of a removed upload begins again. A sender that was overtaken asks where to go on.
    const { count } = await this.#db
      .selectFrom('temporary_files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('hash_name', '=', hashName)
      .executeTakeFirstOrThrow()
    throw count === 0 ? new RemovedUpload() : new ChangedMeanwhile(blob.key)
  }

  async #finish(arriving: Arriving, sums?: ByteSums): Promise<Arriving> {
    const { userId, hashName, blob, size } = arriving
    this.forget(userId, hashName)
    if (!sums) await this.#storage.cut(blob.key, size)
    const pieces = sums ? [] : await this.#listPieces(hashName)
    const { type } = await finishBlob(this.#db, this.#storage, blob, size, { sums, pieces })
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

  /** Removes the upload, so that its sender starts over. Another process may have removed it, with its bytes. */
  async #giveUp({ userId, hashName, blob }: Arriving, err: Error): Promise<void> {
    this.forget(userId, hashName)
    const stores = { db: this.#db, storage: this.#storage }
    if ((await removeTemporaryFiles(stores, userId, [hashName])) > 0)
      this.#complain({ err, blob: blob.id }, 'an upload has lost bytes that were acknowledged')
  }

  /** Removes bytes that arrived after another instance had given up the upload and removed the bytes it saw. */
  async #clearGivenUp({ id, key }: Arriving['blob']): Promise<void> {
    const blob = await this.#db.selectFrom('blobs').select('state').where('id', '=', id).executeTakeFirst()
    await removeLate(this.#db, this.#storage, blob, key)
  }

  /** Takes the sums so far out of memory. They go back once the piece is acknowledged: a piece may break off anywhere. */
  #takeSums(arriving: Arriving): { sums: Summing | undefined; isClean: boolean; isRecalled: boolean } {
    const known = this.#known.get(keyOf(arriving))
    this.#known.delete(keyOf(arriving))
    const isRecalled = known?.arriving === arriving
    if (known?.arriving.offset === arriving.offset) return { sums: known.sums, isClean: true, isRecalled }
    return { sums: arriving.offset === 0 ? new Summing() : undefined, isClean: false, isRecalled }
  }

  #know(known: Known): void {
    this.#known.set(keyOf(known.arriving), known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN) this.#known.delete(oldest!)
  }
}

const keyOf = ({ userId, hashName }: Pick<Arriving, 'userId' | 'hashName'>) => `${userId} ${hashName}`
