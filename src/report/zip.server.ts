import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

export type ZipPart = { name: string; text: string }

// UTF-8 names, deflate, and the first date that a zip can hold, so that the same parts give the same bytes.
const UTF8 = 0x0800
const DEFLATE = 8
const DAY = 0x0021
const VERSION = 20

/** Returns a zip of texts that are made and sent at once. For small parts only: the format used ends at 4 GB. */
export async function zip(parts: readonly ZipPart[]): Promise<Buffer> {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, text } of parts) {
    const [title, bytes] = [Buffer.from(name), Buffer.from(text)]
    const packed = await deflate(bytes)
    // The bytes that the part's local and central headers share.
    const about = Buffer.alloc(26)
    about.writeUInt16LE(VERSION, 0)
    about.writeUInt16LE(UTF8, 2)
    about.writeUInt16LE(DEFLATE, 4)
    about.writeUInt16LE(DAY, 8)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(title.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    local.push(Buffer.from('PK\x03\x04'), about, title, packed)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([VERSION, 0]), about, place, title)
    offset += 4 + about.length + title.length + packed.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, list, Buffer.from('PK\x05\x06'), end])
}
