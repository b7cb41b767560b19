import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { passBuffer } from '../../server/process/passed-buffers.ts'
import { DamagedBytes, type ByteRange, type FileStorage } from '../../server/storage/storage.ts'
import {
  piecesOf,
  type ArchivePiece,
  type ArchivePlan,
  type PlannedFile,
  type StoredPiece,
} from './archive-plan.ts'

/** A file of an archive, and where its bytes are. */
export type StoredPart = PlannedFile & { blob: { id: number; key: string } }

export type Sending<Part extends StoredPart> = {
  storage: Pick<FileStorage, 'open' | 'read'>
  /** Throws if the archive may no longer be sent. */
  check: () => Promise<void>
  /** Records which files were sent, whole or in part. */
  record: (files: Part[]) => Promise<void>
  /** Reports stored bytes that cannot be read. */
  onFault: (file: Part, error: unknown) => void
  /** The clock, for tests. */
  now?: () => number
}

/** Up to this size, a file is read at once, and compared with its CRC-32. Larger ones are compared where they are unpacked. */
const SMALL = 512 * 1024
/** How much is read ahead, because files in a bucket take a while to arrive. */
const AHEAD_BYTES = 4 * 1024 * 1024
const AHEAD_PIECES = 32
/** The time between two checks. Longer if checks would take more than a twentieth of the time. */
const CHECKED_EVERY_MS = 1000
const MOST_OF_THE_TIME = 20
const LATE_MS = 5000
/** How many files are recorded together. */
const RECORDED_AT_ONCE = 500

/**
 * Streams a range of an archive. If it may no longer be sent, or bytes are missing, the stream ends in an error, never
 * early.
 */
export function openArchive<Part extends StoredPart>(
  plan: ArchivePlan<Part>,
  part: ByteRange,
  sending: Sending<Part>,
): Readable {
  return Readable.from(new ArchiveBytes(plan, part, sending).send(), {
    objectMode: false,
    highWaterMark: 2 * SMALL,
  })
}

type Waiting = { piece: ArchivePiece; bytes?: Promise<Buffer>; size: number }

class ArchiveBytes<Part extends StoredPart> {
  #plan: ArchivePlan<Part>
  #sending: Sending<Part>
  #pieces: Generator<ArchivePiece>
  #ahead: Waiting[] = []
  #aheadBytes = 0
  #now: () => number
  #checkedAt: number
  #checkTook = 0
  #sent = new Set<number>()
  /** The check and the recording that run while bytes are sent. Awaited before the next ones begin. */
  #underWay: Promise<void> = Promise.resolve()

  constructor(plan: ArchivePlan<Part>, part: ByteRange, sending: Sending<Part>) {
    this.#plan = plan
    this.#sending = sending
    this.#now = sending.now ?? (() => performance.now())
    this.#checkedAt = this.#now()
    this.#pieces = piecesOf(plan, part)
  }

  async *send(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        const { piece, bytes } = next
        const isLast = this.#ahead.length === 0
        if (!('bytes' in piece)) yield* this.#bytesOf(piece, bytes)
        else {
          // The end is never sent before everything is known to be right and written down.
          if (isLast) await this.#finish()
          yield piece.bytes
        }
        if (piece.of !== null) this.#sent.add(piece.of)
        if (this.#isDue()) await this.#lookAround()
      }
    } finally {
      for (const { bytes } of this.#ahead) bytes?.catch(() => undefined)
      await this.#underWay.catch(() => undefined)
      await this.#record().catch(() => undefined) // what was sent until it broke off
    }
  }

  async *#bytesOf(piece: StoredPiece, read?: Promise<Buffer>): AsyncGenerator<Buffer> {
    const file = this.#plan.files[piece.of]!
    try {
      if (read) {
        const bytes = await read
        passBuffer(bytes.length)
        if (bytes.length === file.size && crc32(bytes) !== file.crc32)
          throw new DamagedBytes('The file has other bytes than it had.')
        yield bytes
        return
      }
      const stream = await this.#sending.storage.open(file.blob.key, piece)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        passBuffer(chunk.length)
        yield chunk
        this.#sent.add(piece.of)
        if (this.#isDue()) await this.#lookAround()
      }
    } catch (error) {
      this.#sending.onFault(file, error)
      throw error
    }
  }

  /** Returns the next piece, and begins to read small files of those after it. */
  #take(): Waiting | undefined {
    while (this.#ahead.length < AHEAD_PIECES && this.#aheadBytes < AHEAD_BYTES) {
      const { value: piece } = this.#pieces.next() as IteratorResult<ArchivePiece, undefined>
      if (!piece) break
      this.#ahead.push(this.#begin(piece))
    }
    const next = this.#ahead.shift()
    this.#aheadBytes -= next?.size ?? 0
    return next
  }

  #begin(piece: ArchivePiece): Waiting {
    if ('bytes' in piece) return { piece, size: 0 }
    const size = piece.last - piece.first + 1
    if (size > SMALL) return { piece, size: 0 }
    this.#aheadBytes += size
    const bytes = this.#sending.storage.read(this.#plan.files[piece.of]!.blob.key, piece)
    bytes.catch(() => undefined) // awaited when it is its turn
    return { piece, bytes, size }
  }

  #isDue(): boolean {
    return this.#sent.size >= RECORDED_AT_ONCE || this.#isCheckDue()
  }

  #isCheckDue(): boolean {
    const every = Math.max(CHECKED_EVERY_MS, this.#checkTook * MOST_OF_THE_TIME)
    return this.#now() - this.#checkedAt >= every
  }

  /** Awaits the last check and recording, and starts the next, so that sending does not wait for the database. */
  async #lookAround(): Promise<void> {
    await this.#underWay
    const isLate = this.#now() - this.#checkedAt >= LATE_MS
    const check = this.#isCheckDue() ? this.#check() : undefined
    this.#underWay = Promise.all([check, this.#record()]).then(() => undefined)
    this.#underWay.catch(() => undefined) // awaited the next time
    if (isLate) await this.#underWay // after a pause of the client, when much may have changed
  }

  async #finish(): Promise<void> {
    await this.#underWay
    await Promise.all([this.#check(), this.#record()])
  }

  async #check(): Promise<void> {
    const began = this.#now()
    this.#checkedAt = began
    await this.#sending.check()
    this.#checkTook = this.#now() - began
  }

  async #record(): Promise<void> {
    const files = [...this.#sent].map((index) => this.#plan.files[index]!)
    this.#sent.clear()
    if (files.length > 0) await this.#sending.record(files)
  }
}
