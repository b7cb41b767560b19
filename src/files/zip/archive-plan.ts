import {
  centralHeader,
  centralLength,
  endLength,
  endOf,
  localHeader,
  localLength,
  type ZipEntry,
} from '../../base/zip-format.ts'

// Says where every byte of an archive of stored files is, before any of them is read.

/** A file of an archive. */
export type PlannedFile = Pick<ZipEntry, 'name' | 'crc32' | 'size' | 'modified'>

/** The layout of an archive: each file after its header, then the list of them, then the end. */
export type ArchivePlan<Planned extends PlannedFile = PlannedFile> = {
  files: readonly Planned[]
  /** Where each file's header begins; the last one is where the list begins. */
  starts: Float64Array
  /** Where each file is in the list; the last one is where the list ends. */
  listed: Float64Array
  length: number
}

/** A part of an archive, in order: bytes that are made, or bytes of the file `of`. */
export type ArchivePiece = MadePiece | StoredPiece
/** A made piece is of a file if it is all that there is of it: the header of an empty one. */
export type MadePiece = { bytes: Uint8Array; of: number | null }
export type StoredPiece = { of: number; first: number; last: number }

/** The first and the last byte, both included. */
type ByteRange = { first: number; last: number }

/** The list of files is made in pieces of about this many bytes. */
const LIST_BYTES = 64 * 1024

const entryOf = ({ name, crc32, size, modified }: PlannedFile): ZipEntry => ({
  name,
  crc32,
  modified,
  method: 'stored',
  packed: size,
  size,
})

export function planArchive<Planned extends PlannedFile>(files: readonly Planned[]): ArchivePlan<Planned> {
  const starts = new Float64Array(files.length + 1)
  const listed = new Float64Array(files.length + 1)
  for (const [index, file] of files.entries())
    starts[index + 1] = starts[index]! + localLength(entryOf(file)) + file.size
  listed[0] = starts[files.length]!
  for (const [index, file] of files.entries())
    listed[index + 1] = listed[index]! + centralLength(entryOf(file), starts[index]!)
  const plan = { files, starts, listed, length: 0 }
  return { ...plan, length: listed[files.length]! + endLength(listOf(plan)) }
}

function listOf({ files, listed }: Pick<ArchivePlan, 'files' | 'listed'>) {
  return { entries: files.length, offset: listed[0]!, length: listed[files.length]! - listed[0]! }
}

/** Yields the pieces of an archive that make up a range of its bytes. */
export function* piecesOf(plan: ArchivePlan, { first, last }: ByteRange): Generator<ArchivePiece> {
  const { files, starts, listed } = plan
  for (let index = indexAt(starts, first); index < files.length && starts[index]! <= last; index++) {
    const file = files[index]!
    const begin = starts[index + 1]! - file.size
    const of = file.size === 0 ? index : null
    if (first < begin) yield* within(starts[index]!, localHeader(entryOf(file)), { first, last }, of)
    const data = { first: Math.max(first - begin, 0), last: Math.min(last - begin, file.size - 1) }
    if (data.first <= data.last) yield { of: index, ...data }
  }
  for (let index = indexAt(listed, first); index < files.length && listed[index]! <= last;) {
    const from = listed[index]!
    const headers: Uint8Array[] = []
    for (let length = 0; index < files.length && length < LIST_BYTES; index++) {
      const header = centralHeader(entryOf(files[index]!), starts[index]!)
      headers.push(header)
      length += header.length
    }
    yield* within(from, joined(headers), { first, last })
  }
  yield* within(listed[files.length]!, endOf(listOf(plan)), { first, last })
}

/** Returns the last index whose position is not after `at`. */
function indexAt(positions: Float64Array, at: number): number {
  let [low, high] = [0, positions.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (positions[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Yields those of some bytes, which begin at `from`, that are in a range. */
function* within(
  from: number,
  bytes: Uint8Array,
  { first, last }: ByteRange,
  of: number | null = null,
): Generator<MadePiece> {
  const part = bytes.subarray(Math.max(first - from, 0), Math.max(last - from + 1, 0))
  if (part.length > 0) yield { bytes: part, of }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
