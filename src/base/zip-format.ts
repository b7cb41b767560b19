// The headers of a ZIP archive (APPNOTE.TXT 6.3), for archives that are made at once and for those that are streamed.

/** A file in an archive. */
export type ZipEntry = {
  /** Its path in the archive, with `/` between directories. */
  name: string
  method: 'stored' | 'deflated'
  crc32: number
  /** Its length in the archive, and unpacked. */
  packed: number
  size: number
  /** When it was changed: in seconds since 1970, and as the local clock showed it, since the format has both. */
  modified: { utc: number; local: number }
}

const METHODS = { stored: 0, deflated: 8 }
/** Names are UTF-8. Without this flag, Windows takes them for the letters of DOS. */
const UTF8 = 0x0800
const UNIX = 3 << 8
/** The versions of the format that a program must know: directories and deflate; sizes beyond 4 GB. */
const PLAIN = 20
const LARGE = 45
/** A regular file that its owner may change and others may read. Unpacked on Unix, it gets these rights. */
const ATTRIBUTES = 0o100644 * 0x10000

/** The largest values of two and four bytes say that the real one is in the ZIP64 fields. */
const IN_TWO = 0xffff
const IN_FOUR = 0xffffffff

const ZIP64_FIELD = 0x0001
const TIME_FIELD = 0x5455
const TIME_BYTES = 9

const isLarge = ({ packed, size }: ZipEntry) => packed >= IN_FOUR || size >= IN_FOUR

const utf8 = new TextEncoder()
/** Returns how many bytes a name takes. Most names are ASCII, which need not be encoded to tell. */
// oxlint-disable-next-line no-control-regex -- ASCII is what this asks for
const bytesOf = (name: string) => (/^[\0-\x7f]*$/.test(name) ? name.length : utf8.encode(name).length)

/** Returns the length of the header before a file's bytes. */
export function localLength(entry: ZipEntry): number {
  return 30 + bytesOf(entry.name) + TIME_BYTES + (isLarge(entry) ? 20 : 0)
}

/** Makes the header before a file's bytes. */
export function localHeader(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const name = utf8.encode(entry.name)
  const large = isLarge(entry)
  const to = new Writer(30 + name.length + TIME_BYTES + (large ? 20 : 0))
  to.four(0x04034b50)
  writeFacts(to, entry, name.length, { large, extra: TIME_BYTES + (large ? 20 : 0) })
  to.bytes(name)
  if (large) {
    to.two(ZIP64_FIELD).two(16).eight(entry.size).eight(entry.packed)
  }
  writeTime(to, entry)
  return to.made
}

/** Returns the length of a file's header in the list at the end. */
export function centralLength(entry: ZipEntry, offset: number): number {
  return 46 + bytesOf(entry.name) + TIME_BYTES + zip64Bytes(entry, offset)
}

/** Makes a file's header in the list at the end; `offset` is where its own header is. */
export function centralHeader(entry: ZipEntry, offset: number): Uint8Array<ArrayBuffer> {
  const name = utf8.encode(entry.name)
  const zip64 = zip64Bytes(entry, offset)
  const to = new Writer(46 + name.length + TIME_BYTES + zip64)
  to.four(0x02014b50).two(UNIX | LARGE)
  writeFacts(to, entry, name.length, {
    large: isLarge(entry),
    extra: TIME_BYTES + zip64,
    needs: zip64 > 0 ? LARGE : PLAIN,
  })
  to.two(0).two(0).two(0) // no comment, first disk, not known to be text
  to.four(ATTRIBUTES).four(Math.min(offset, IN_FOUR)).bytes(name)
  if (zip64 > 0) {
    to.two(ZIP64_FIELD).two(zip64 - 4)
    if (isLarge(entry)) to.eight(entry.size).eight(entry.packed)
    if (offset >= IN_FOUR) to.eight(offset)
  }
  writeTime(to, entry)
  return to.made
}

function zip64Bytes(entry: ZipEntry, offset: number): number {
  const bytes = (isLarge(entry) ? 16 : 0) + (offset >= IN_FOUR ? 8 : 0)
  return bytes > 0 ? bytes + 4 : 0
}

/** Where the list of all files is, and how much it holds. */
type ZipList = { entries: number; offset: number; length: number }

const needsZip64 = ({ entries, offset, length }: ZipList) =>
  entries >= IN_TWO || offset >= IN_FOUR || length >= IN_FOUR

export function endLength(list: ZipList): number {
  return needsZip64(list) ? 56 + 20 + 22 : 22
}

/** Makes the end of an archive, which comes after the list. */
export function endOf(list: ZipList): Uint8Array<ArrayBuffer> {
  const { entries, offset, length } = list
  const to = new Writer(endLength(list))
  if (needsZip64(list)) {
    to.four(0x06064b50).eight(44)
    to.two(UNIX | LARGE)
      .two(LARGE)
      .four(0)
      .four(0)
    to.eight(entries).eight(entries).eight(length).eight(offset)
    to.four(0x07064b50)
      .four(0)
      .eight(offset + length)
      .four(1)
  }
  const count = Math.min(entries, IN_TWO)
  to.four(0x06054b50).two(0).two(0).two(count).two(count)
  to.four(Math.min(length, IN_FOUR)).four(Math.min(offset, IN_FOUR)).two(0)
  return to.made
}

type Shape = { large: boolean; extra: number; needs?: number }

/** Writes the fields that both headers of a file have in the same order. */
function writeFacts(to: Writer, entry: ZipEntry, nameLength: number, { large, extra, needs }: Shape): void {
  const { date, time } = dosTime(entry.modified.local)
  to.two(needs ?? (large ? LARGE : PLAIN))
    .two(UTF8)
    .two(METHODS[entry.method])
  to.two(time).two(date).four(entry.crc32)
  // Both, also if only one is too large: then the ZIP64 field always holds both.
  to.four(large ? IN_FOUR : entry.packed).four(large ? IN_FOUR : entry.size)
  to.two(nameLength).two(extra)
}

function writeTime(to: Writer, { modified }: ZipEntry): void {
  const seconds = Math.min(Math.max(Math.floor(modified.utc), 0), 0x7fffffff)
  to.two(TIME_FIELD).two(5).one(1).four(seconds)
}

/** Returns a local time as DOS keeps it: every other second, from 1980 to 2107. */
export function dosTime(local: number): { date: number; time: number } {
  const first = Date.UTC(1980, 0, 1) / 1000
  const last = Date.UTC(2107, 11, 31, 23, 59, 58) / 1000
  const at = new Date(Math.min(Math.max(local, first), last) * 1000)
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** Writes numbers one after another, the lowest byte first. */
class Writer {
  made: Uint8Array<ArrayBuffer>
  #view: DataView
  #at = 0

  constructor(length: number) {
    this.made = new Uint8Array(length)
    this.#view = new DataView(this.made.buffer)
  }

  one(value: number): this {
    this.#view.setUint8(this.#at, value)
    this.#at += 1
    return this
  }

  two(value: number): this {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
    return this
  }

  four(value: number): this {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
    return this
  }

  eight(value: number): this {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    this.#at += 8
    return this
  }

  bytes(value: Uint8Array): this {
    this.made.set(value, this.#at)
    this.#at += value.length
    return this
  }
}
