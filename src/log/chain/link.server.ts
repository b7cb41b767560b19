import { createHash, randomBytes } from 'node:crypto'

/** An entry as the chain covers it. `text` is everything but the address and the names. */
export type ChainedEntry = { text: string; address: string | null; names: Names | null }
type Names = { before: string; after: string }

/** A hash of a value that may be erased later. */
type Mark = { salt: Buffer; mark: Buffer }

/** Hash before the first entry. */
export const START_HASH = Buffer.alloc(32)

export function markOf(value: string, salt: Buffer = randomBytes(16)): Mark {
  return { salt, mark: createHash('sha256').update(salt).update(value).digest() }
}

export const addressText = ({ address }: ChainedEntry): string | null => address
export const namesText = ({ names }: ChainedEntry): string | null =>
  names && JSON.stringify([names.before, names.after])

/** Returns the hash of an entry's link. JSON has no line breaks of its own, so no two entries have the same bytes. */
export function hashLink(
  previous: Buffer,
  text: string,
  addressMark: Buffer | null,
  namesMark: Buffer | null,
): Buffer {
  const hex = (mark: Buffer | null) => mark?.toString('hex') ?? ''
  return createHash('sha256')
    .update(previous)
    .update(`${text}\n${hex(addressMark)}\n${hex(namesMark)}`)
    .digest()
}

/** The end of the chain: '1204:9f86d0…' is the hash of the link at place 1204. */
export type ChainHead = { position: number; hash: string }

export const formatHead = ({ position, hash }: ChainHead): string => `${position}:${hash}`

/** Reads what `formatHead` wrote, or returns null. */
export function parseHead(text: string): ChainHead | null {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return position && hash ? { position: Number(position), hash } : null
}
