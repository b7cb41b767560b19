import { crc32, inflateRawSync } from 'node:zlib'

/** Returns the texts in a zip by name, found through its central directory, and checks each one. */
export function unzip(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf('PK\x05\x06')
  const texts: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('The list is broken.')
    const [crc, packed, size] = [16, 20, 24].map((from) => bytes.readUInt32LE(at + from)) as [
      number,
      number,
      number,
    ]
    const [nameLength, extra, comment] = [28, 30, 32].map((from) => bytes.readUInt16LE(at + from)) as [
      number,
      number,
      number,
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const head = bytes.readUInt32LE(at + 42)
    const from = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28)
    const text = inflateRawSync(bytes.subarray(from, from + packed))
    if (text.length !== size || crc32(text) !== crc) throw new Error(`${name} is broken.`)
    texts[name] = text.toString()
    at += 46 + nameLength + extra + comment
  }
  return texts
}
