import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { centralHeader, endOf, localHeader, type ZipEntry } from '../base/zip-format.ts'

const deflate = promisify(deflateRaw)

type ZipPart = { name: string; text: string }

/** The first date that a zip can hold, so that the same parts give the same bytes. */
const FIRST_DAY = Date.UTC(1980, 0, 1) / 1000

/** Returns a zip of texts that are made and sent at once. For small parts only, since they are all held in memory. */
export async function zip(parts: readonly ZipPart[]): Promise<Buffer> {
  const local: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const { name, text } of parts) {
    const bytes = Buffer.from(text)
    const packed = await deflate(bytes)
    const entry: ZipEntry = {
      name,
      method: 'deflated',
      crc32: crc32(bytes),
      packed: packed.length,
      size: bytes.length,
      modified: { utc: FIRST_DAY, local: FIRST_DAY },
    }
    const header = localHeader(entry)
    local.push(header, packed)
    central.push(centralHeader(entry, offset))
    offset += header.length + packed.length
  }
  const length = central.reduce((sum, header) => sum + header.length, 0)
  return Buffer.concat([...local, ...central, endOf({ entries: parts.length, offset, length })])
}
