import { inflateRawSync } from 'node:zlib'
import { Unreadable } from './reading-fault.ts'

// Reads the archives that office programs write. The list at the end is believed; a part is unpacked only if it is asked
// for, and never to more than is left of the limit.

type Part = { method: number; isLocked: boolean; at: number; packed: number }

const MOST_PARTS = 20_000
/** Bytes of all parts together, unpacked. */
const MOST_UNPACKED = 128 * 1024 * 1024
const STORED = 0
const DEFLATED = 8
const LARGE = 0xffffffff

const END = Buffer.from('PK\x05\x06')
const END_LENGTH = 22
/** A comment can stand after the end. */
const END_AT_MOST = END_LENGTH + 0xffff
/** The beginning of a file of older office programs, and of newer ones with a password. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** Opens an archive. Throws `Unreadable` if it is none. */
export function openZip(bytes: Buffer): UnpackedParts {
  if (bytes.subarray(0, COMPOUND.length).equals(COMPOUND)) throw new Unreadable('locked')
  const from = Math.max(0, bytes.length - END_AT_MOST)
  const end = bytes.subarray(from).lastIndexOf(END) + from
  if (end < from || end + END_LENGTH > bytes.length) throw new Unreadable('damaged')
  const parts = new Map<string, Part>()
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw new Unreadable('damaged')
    if (parts.size >= MOST_PARTS) throw new Unreadable('bomb')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength).replace(/^\/+/, '')
    parts.set(name, {
      isLocked: (bytes.readUInt16LE(at + 8) & 1) !== 0,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return new UnpackedParts(bytes, parts)
}

/** The parts of an archive, each unpacked when it is asked for. */
export class UnpackedParts {
  #bytes: Buffer
  #parts: Map<string, Part>
  #left = MOST_UNPACKED

  constructor(bytes: Buffer, parts: Map<string, Part>) {
    this.#bytes = bytes
    this.#parts = parts
  }

  names(): string[] {
    return [...this.#parts.keys()]
  }

  /** Returns the bytes of a part, or null if there is none of that name. */
  find(name: string): Buffer | null {
    const part = this.#parts.get(name)
    if (!part) return null
    if (part.isLocked) throw new Unreadable('locked')
    const { at, packed, method } = part
    if (at + 30 > this.#bytes.length || packed === LARGE || this.#bytes.readUInt32LE(at) !== 0x04034b50)
      throw new Unreadable('damaged')
    const from = at + 30 + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28)
    const unpacked = unpack(this.#bytes.subarray(from, from + packed), method, this.#left)
    this.#left -= unpacked.length
    return unpacked
  }
}

function unpack(packed: Buffer, method: number, most: number): Buffer {
  if (method === STORED && packed.length <= most) return packed
  if (method !== DEFLATED) throw new Unreadable(method === STORED ? 'bomb' : 'damaged')
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Unreadable(isBomb ? 'bomb' : 'damaged', error)
  }
}
