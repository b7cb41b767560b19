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

/** A file that is made for an archive and comes before all others: its table of contents. */
export type HeadFile = PlannedFile & { bytes: Uint8Array }

/** The layout of an archive: each file after its header, then the list of them, then the end. */
export type ArchivePlan<Planned extends PlannedFile = PlannedFile> = {
  head: HeadFile | null
  files: readonly Planned[]
  /** The head and the files. */
  entries: readonly PlannedFile[]
  /** Where each entry's header begins; the last one is where the list begins. */
  starts: Float64Array
  /** Where each entry is in the list; the last one is where the list ends. */
  listed: Float64Array
  length: number
}

/** A part of an archive, in order: bytes that are made, or bytes of the file `of`. */
export type ArchivePiece = MadePiece | StoredPiece
/** A made piece is of a file if it is all that there is of it: the header of an empty one. */
type MadePiece = { bytes: Uint8Array; of: number | null }
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

export function planArchive<Planned extends PlannedFile>(
  files: readonly Planned[],
  head: HeadFile | null = null,
): ArchivePlan<Planned> {
  const entries = head ? [head, ...files] : files
  const starts = new Float64Array(entries.length + 1)
  const listed = new Float64Array(entries.length + 1)
  for (const [index, entry] of entries.entries())
    starts[index + 1] = starts[index]! + localLength(entryOf(entry)) + entry.size
  listed[0] = starts[entries.length]!
  for (const [index, entry] of entries.entries())
    listed[index + 1] = listed[index]! + centralLength(entryOf(entry), starts[index]!)
  const plan = { head, files, entries, starts, listed, length: 0 }
  return { ...plan, length: listed[entries.length]! + endLength(listOf(plan)) }
}

function listOf({ entries, listed }: Pick<ArchivePlan, 'entries' | 'listed'>) {
  return {
    entries: entries.length,
    offset: listed[0]!,
    length: listed[entries.length]! - listed[0]!,
  }
}

/** Yields the pieces of an archive that make up a range of its bytes. */
export function* piecesOf(plan: ArchivePlan, { first, last }: ByteRange): Generator<ArchivePiece> {
  const { head, entries, starts, listed } = plan
  const heads = head ? 1 : 0
  if (head) yield* within(0, joined([localHeader(entryOf(head)), head.bytes]), { first, last })
  for (
    let index = Math.max(indexAt(starts, first), heads);
    index < entries.length && starts[index]! <= last;
    index++
  ) {
    const file = entries[index]!
    const begin = starts[index + 1]! - file.size
    const of = index - heads
    if (first < begin)
      yield* within(starts[index]!, localHeader(entryOf(file)), { first, last }, file.size === 0 ? of : null)
    const data = { first: Math.max(first - begin, 0), last: Math.min(last - begin, file.size - 1) }
    if (data.first <= data.last) yield { of, ...data }
  }
  for (let index = indexAt(listed, first); index < entries.length && listed[index]! <= last;) {
    const from = listed[index]!
    const headers: Uint8Array[] = []
    for (let length = 0; index < entries.length && length < LIST_BYTES; index++) {
      const header = centralHeader(entryOf(entries[index]!), starts[index]!)
      headers.push(header)
      length += header.length
    }
    yield* within(from, joined(headers), { first, last })
  }
  yield* within(listed[entries.length]!, endOf(listOf(plan)), { first, last })
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
