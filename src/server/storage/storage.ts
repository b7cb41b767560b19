import type { Readable } from 'node:stream'
import type { DiskRoom } from './disk-room.ts'

/** From the first byte to the last, both counted: `{first: 0, last: 0}` is one byte. */
export type ByteRange = { first: number; last: number }

/** What a browser needs to send bytes straight to the store: where to, and the fields that go before the file. */
export type SignedPost = { postEndpoint: string; fields: Record<string, string> }

/** What a signature allows: so many bytes, of exactly this type, for so long. */
export type Allowed = { least: number; most: number; type: string; seconds: number }

/** A store that takes bytes from others than us, when we have signed for it. */
export interface SignedPosts {
  /** Where they are sent to: `https://bucket.example`. */
  origin: string
  /** No signature allows more. */
  mostBytes: number
  /** For a key without bytes. Until `seal` they may be sent again; afterwards that changes nothing. */
  sign(key: string, allowed: Allowed): Promise<SignedPost>
}

/**
 * Where the bytes are. A key is what `newStorageKey` makes: never a name, never a hash. What a promise says
 * when it is kept survives a power cut.
 */
export interface FileStorage {
  /** Stores a whole stream under a new key; when it fails, `remove` clears what is left. */
  put(key: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /**
   * Writes at `offset`, which must be just what is there: with more, somebody else was first (`ChangedMeanwhile`).
   * Answers the new length. When the stream breaks, what came is kept.
   */
  append(key: string, offset: number, bytes: AsyncIterable<Buffer>): Promise<number>
  /**
   * Takes away what lies beyond `length`, where an append once ended: what a crash or a power cut left there never counts.
   * Where there is less, or it is sealed at another length, it throws `LostBytes`.
   */
  cut(key: string, length: number): Promise<void>
  /** How much has been appended, or looks so after a power cut; 0 for an unknown key. */
  length(key: string): Promise<number>
  /** Ends appending: from here on the bytes can be opened and no longer changed. May be called again. */
  seal(key: string): Promise<void>
  /**
   * Opens the whole, or a range of it; a range that is not all there ends in an error, never early. An unknown key
   * throws `MissingBytes`. With a SHA-256, the last bytes come only when all of them are those that it is of; otherwise it ends
   * in `DamagedBytes`.
   */
  open(key: string, range?: ByteRange, sha256?: string): Promise<Readable>
  /** A small range at once: what `open` would give, without the cost of a stream. */
  read(key: string, range: ByteRange): Promise<Buffer>
  /** Removes whatever is there; nothing is fine too. */
  remove(key: string): Promise<void>
  /** Every key that has bytes, whole or in part, and how many; in no order. */
  list(): AsyncIterable<{ key: string; size: number }>
  /** Whether nothing is stored. */
  isEmpty(): Promise<boolean>
  /** Throws when the store cannot be used. */
  check(): Promise<void>
  /** How much the server's own disk has left, also where the bytes go elsewhere: the database is on it. */
  room?: DiskRoom
  /** Only where browsers may send to the store themselves. */
  posts?: SignedPosts
  /** An address where the store itself gives the whole to whoever has it, for a minute; null where it gives none. */
  sign?(key: string, headers: SignedHeaders): Promise<string | null>
}

/** What the store is to say of the bytes. */
export type SignedHeaders = { type: string; disposition: string; cacheControl: string }

/** What a place has of a key. */
export type Kept = { size: number; isWhole: boolean }

/** A storage that is one of two. */
export type Place = FileStorage & { find(key: string): Promise<Kept | null> }

export class MissingBytes extends Error {
  constructor(key: string) {
    super(`The store has no bytes under ${key}.`)
  }
}

/** Stored bytes are no longer what they were. */
export class DamagedBytes extends Error {}

/** What was acknowledged is no longer there, or is no longer what was sent: nothing may be made of the rest. */
export class LostBytes extends Error {}

/** The store does not answer, or refuses us: nothing is known of what was asked, and it may be asked again. */
export class StoreAway extends Error {}

/** Somebody else wrote to the same key at the same time, and was first. */
export class ChangedMeanwhile extends Error {
  constructor(key: string) {
    super(`Somebody else has changed ${key}.`)
  }
}

/** 128 random bits. */
export function newStorageKey(): string {
  return crypto.getRandomValues(Buffer.alloc(16)).toString('hex')
}
