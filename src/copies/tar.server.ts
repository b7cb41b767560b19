/** The block size of a tar file. An entry is a header, the bytes, and zeros up to the end of the block. */
export const BLOCK = 512

type TarHeader = {
  /** ASCII, at most 100 bytes. */
  name: string
  size: number
  /** In seconds. */
  mtime: number
}

/**
 * Writes a POSIX ustar header, always in the same way, so that a header that differs in one bit counts as damaged.
 */
export function encodeHeader({ name, size, mtime }: TarHeader): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`Not a name for a tar file: ${name}`)
  block.write(name, 0, 'latin1')
  block.write(`0000600\0${NONE}${NONE}`, 100, 'latin1')
  if (size < LARGEST_OCTAL) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else block.writeBigUInt64BE(BigInt(size), block.writeUInt32BE(0x8000_0000, 124)) // the same as GNU tar and others
  block.write(`${mtime.toString(8).padStart(11, '0')}\0`, 136, 'latin1')
  block.write(`${' '.repeat(8)}0`, 148, 'latin1')
  block.write(`ustar\0${VERSION}`, 257, 'latin1')
  block.write(`${NONE}${NONE}`, 329, 'latin1')
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

const LARGEST_OCTAL = 8 ** 11
/** No owner, no device. */
const NONE = '0000000\0'
const VERSION = '00'

/** Returns null for the zeros at the end, and undefined for a header that `encodeHeader` did not write. */
export function decodeHeader(block: Buffer): TarHeader | null | undefined {
  if (isZero(block)) return null
  const name = block.toString('latin1', 0, 100).replace(/\0+$/, '')
  const octal = (from: number, to: number) => parseInt(block.toString('latin1', from, to), 8)
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : octal(124, 135)
  const header = { name, size, mtime: octal(136, 147) }
  try {
    return encodeHeader(header).equals(block) ? header : undefined
  } catch {
    return undefined
  }
}

export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

export const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)
