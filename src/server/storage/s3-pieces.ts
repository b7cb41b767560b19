// How bytes are named in a bucket, and how appended pieces become one object.

/** The size of one appended piece. */
export const PIECE = 8 * 2 ** 20

/** S3 takes no smaller part, except the last; larger ones would only take memory. */
export const LEAST_PART = 5 * 2 ** 20
/** S3 takes at most 10,000. */
const MOST_PARTS = 9_000
/** S3 copies a larger part in silence for too long. */
const MOST_COPIED = 128 * 2 ** 20

/** Returns the name of the whole, 'ab/cdef…', as on the disk. */
export function wholeName(key: string): string {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`Not a storage key: ${key}`)
  return `${key.slice(0, 2)}/${key.slice(2)}`
}

/** Returns the name of the piece that was appended at an offset, 'ab/cdef….000000002000000'. */
export function pieceName(key: string, offset: number): string {
  return `${wholeName(key)}.${String(offset).padStart(15, '0')}`
}

const NAME = /^([0-9a-f]{2})\/([0-9a-f]{30})(?:\.(\d{15}))?$/

/** Returns the key and offset of an object, or null if it is not ours. The whole has no offset. */
export function readName(name: string): { key: string; offset: number | null } | null {
  const [, fan, rest, offset] = NAME.exec(name) ?? []
  if (rest === undefined) return null
  return { key: `${fan}${rest}`, offset: offset === undefined ? null : Number(offset) }
}

/** An object in a bucket's list. */
export type Found = { name: string; size: number; etag: string }
export type Piece = Found & { offset: number }

/** The objects of one key. */
export type Contents = {
  whole: Found | null
  /** The appended pieces; each begins where the one before it ends. */
  pieces: Piece[]
  /** Pieces that do not follow another: left by an append during another process's cut or seal. */
  strays: Piece[]
  length: number
}

export function readContents(found: Found[]): Contents {
  const contents: Contents = { whole: null, pieces: [], strays: [], length: 0 }
  const all = found.map((each) => ({ ...each, offset: readName(each.name)?.offset }))
  for (const { offset, ...each } of all.toSorted((a, b) => (a.offset ?? -1) - (b.offset ?? -1))) {
    if (offset === null) contents.whole = each
    else if (offset === contents.length && each.size > 0) {
      contents.pieces.push({ ...each, offset })
      contents.length += each.size
    } else if (offset !== undefined) contents.strays.push({ ...each, offset })
  }
  if (contents.whole) contents.length = contents.whole.size
  return contents
}

/** A part is copied inside the store, or read by us and sent as one. */
export type Part = { copied: Piece; first: number; last: number } | { joined: Piece[] }

/** Plans the parts that S3 accepts for all pieces in order. It copies as many as it can. */
export function planParts(pieces: Piece[]): Part[] {
  const least = Math.max(LEAST_PART, Math.ceil(sizeOf(pieces) / MOST_PARTS))
  const parts: Part[] = []
  let waiting: Piece[] = []
  for (const piece of pieces) {
    if (waiting.length === 0 && piece.size >= least) {
      parts.push(...copiesOf(piece))
      continue
    }
    waiting.push(piece)
    if (sizeOf(waiting) < least) continue
    parts.push({ joined: waiting })
    waiting = []
  }
  if (waiting.length > 0) parts.push({ joined: waiting })
  return parts
}

export const sizeOf = (pieces: { size: number }[]) => pieces.reduce((sum, { size }) => sum + size, 0)

function copiesOf(piece: Piece): Part[] {
  const count = Math.ceil(piece.size / MOST_COPIED)
  const length = Math.ceil(piece.size / count)
  return Array.from({ length: count }, (_, index) => ({
    copied: piece,
    first: index * length,
    last: Math.min((index + 1) * length, piece.size) - 1,
  }))
}
