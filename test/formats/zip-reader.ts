import { crc32 } from 'node:zlib'

/** A file of an archive, as listed at its end. */
export type ReadEntry = { name: string; isUtf8: boolean; bytes: Buffer; mode: number; modified: number }

/** Reads an archive of stored files as strictly as it can: both headers of each file must say the same. */
export function readZip(archive: Buffer): ReadEntry[] {
  const end = archive.lastIndexOf('PK\x05\x06')
  if (end < 0 || end + 22 !== archive.length) throw new Error('The archive has no end.')
  let [count, at] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)]
  if (count === 0xffff || at === 0xffffffff) {
    const locator = end - 20
    if (archive.readUInt32LE(locator) !== 0x07064b50) throw new Error('The ZIP64 end is not found.')
    const large = Number(archive.readBigUInt64LE(locator + 8))
    if (archive.readUInt32LE(large) !== 0x06064b50) throw new Error('The ZIP64 end is broken.')
    count = Number(archive.readBigUInt64LE(large + 32))
    at = Number(archive.readBigUInt64LE(large + 48))
  }
  const entries: ReadEntry[] = []
  let expected = 0
  for (; count > 0; count--) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('The list is broken.')
    const [nameLength, extra, comment] = [28, 30, 32].map((from) => archive.readUInt16LE(at + from))
    const name = archive.subarray(at + 46, at + 46 + nameLength!)
    const head = archive.readUInt32LE(at + 42)
    if (head !== expected) throw new Error(`${name.toString()} is not where it should be.`)
    if (archive.readUInt32LE(head) !== 0x04034b50) throw new Error(`${name.toString()} has no header.`)
    const said = (from: number, length: number) => archive.subarray(from, from + length).toString('hex')
    if (said(at + 6, 22) !== said(head + 4, 22))
      throw new Error(`${name.toString()} has two different headers.`)
    const from = head + 30 + nameLength! + archive.readUInt16LE(head + 28)
    const size = archive.readUInt32LE(at + 24)
    const bytes = archive.subarray(from, from + size)
    if (crc32(bytes) !== archive.readUInt32LE(at + 16)) throw new Error(`${name.toString()} is damaged.`)
    const isUtf8 = (archive.readUInt16LE(at + 8) & 0x0800) !== 0
    entries.push({
      // Without the flag, Windows reads a name by the letters of DOS.
      name: isUtf8 ? name.toString('utf8') : asDos(name),
      isUtf8,
      bytes,
      mode: archive.readUInt32LE(at + 38) >>> 16,
      modified: archive.readUInt32LE(at + 46 + nameLength! + 5),
    })
    expected = from + size
    at += 46 + nameLength! + extra! + comment!
  }
  return entries
}

const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ '

function asDos(name: Buffer): string {
  return [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : DOS[byte - 0x80])).join('')
}

/** Says why Windows could not unpack a path; null if it could. */
export function windowsFault(path: string): string | null {
  if (path.startsWith('/') || path.includes('\\')) return 'not a relative path'
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'an empty name'
    // oxlint-disable-next-line no-control-regex -- Windows refuses control characters
    if (/[<>:"|?*\0-\x1f]/.test(name)) return `a forbidden character in ${name}`
    if (/[. ]$/.test(name)) return `a dot or space at the end of ${name}`
    if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)) return `the name of a device: ${name}`
    if (name.length > 255) return `too long: ${name}`
  }
  return null
}
