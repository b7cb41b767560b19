import type { Readable } from 'node:stream'
import type { DiskRoom } from './disk-room.ts'

/** The first and the last byte, both included: `{first: 0, last: 0}` is one byte. */
export type ByteRange = { first: number; last: number }

/** The address to which a browser sends bytes straight to the store, and the form fields that come before the file. */
export type SignedPost = { postEndpoint: string; fields: Record<string, string> }

/** The limits of a signature: the size, the exact type, and how long it is valid. */
type Allowed = { least: number; most: number; type: string; seconds: number }

/** A store that accepts uploads from browsers if we signed them. */
export interface SignedPosts {
  /** The store's origin: `https://bucket.example`. */
  origin: string
  /** The most bytes that a signature can allow. */
  mostBytes: number
  /** Signs an upload for a key without bytes. Until `seal` it can be repeated; after that it changes nothing. */
  sign(key: string, allowed: Allowed): Promise<SignedPost>
}

/**
 * Storage for the bytes. Keys come from `newStorageKey`: never a name, never a hash. When a promise resolves, its
 * result survives a power cut.
 */
export interface FileStorage {
  /** Stores a whole stream under a new key. If it fails, `remove` clears the rest. */
  put(key: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /**
   * Appends at `offset`, which must be the current length; if there is more, another request was first
   * (`ChangedMeanwhile`). Returns the new length. If the stream breaks, it keeps the bytes that arrived.
   */
  append(key: string, offset: number, bytes: AsyncIterable<Buffer>): Promise<number>
  /**
   * Removes all bytes beyond `length`, where an append once ended: bytes left there by a crash or a power cut never
   * count. Throws `LostBytes` if there are fewer bytes, or if it is sealed at another length.
   */
  cut(key: string, length: number): Promise<void>
  /** Returns how many bytes have been appended, or seem to be after a power cut; 0 for an unknown key. */
  length(key: string): Promise<number>
  /** Ends appending: from now on the bytes can be opened and no longer changed. May be called again. */
  seal(key: string): Promise<void>
  /**
   * Opens all bytes or a range; a range that is not all there ends in an error, never early. An unknown key throws
   * `MissingBytes`. With a SHA-256, the last bytes come only if it matches; otherwise the stream ends in
   * `DamagedBytes`.
   */
  open(key: string, range?: ByteRange, sha256?: string): Promise<Readable>
  /** Reads a small range at once: the same bytes as `open`, without the cost of a stream. */
  read(key: string, range: ByteRange): Promise<Buffer>
  /** Returns where a whole file of this size is on the disk, from its root on ('ab/cdef…'), or null if it is not. */
  findPath?(key: string, size: number): Promise<string | null>
  /** Removes all bytes of a key, if there are any. */
  remove(key: string): Promise<void>
  /** Lists every key that has bytes, whole or in part, with its size; in no order. */
  list(): AsyncIterable<{ key: string; size: number }>
  isEmpty(): Promise<boolean>
  /** Throws if the store cannot be used. */
  check(): Promise<void>
  /**
   * Throws if a part of the store cannot be used, though the rest can: a missing directory, or one that we may not
   * open.
   */
  checkParts?(): Promise<void>
  /** The space on the server's own disk, also if the bytes go elsewhere: the database is on it. */
  room?: DiskRoom
  /** Present if browsers may upload straight to the store. */
  posts?: SignedPosts
  /** Returns an address where anyone can get the bytes from the store for a minute, or null if there is none. */
  sign?(key: string, headers: SignedHeaders): Promise<string | null>
}

/** The headers that the store sends with the bytes. */
type SignedHeaders = { type: string; disposition: string; cacheControl: string }

type Kept = { size: number; isWhole: boolean }

/** A storage that is one of two places, the disk or the bucket. */
export type Place = FileStorage & { find(key: string): Promise<Kept | null> }

export class MissingBytes extends Error {
  constructor(key: string) {
    super(`The store has no bytes under ${key}.`)
  }
}

/** Stored bytes have changed. */
export class DamagedBytes extends Error {}

/** Acknowledged bytes are missing or changed, so the rest must not be used. */
export class LostBytes extends Error {}

/** The store does not answer or refuses us: the outcome is unknown, and the request may be tried again. */
export class StoreAway extends Error {}

/** Another request wrote to the same key at the same time and was first. */
export class ChangedMeanwhile extends Error {
  constructor(key: string) {
    super(`Somebody else has changed ${key}.`)
  }
}

/** Returns 128 random bits in hex. */
export function newStorageKey(): string {
  return crypto.getRandomValues(Buffer.alloc(16)).toString('hex')
}
