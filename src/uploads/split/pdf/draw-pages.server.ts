import type { Readable } from 'node:stream'
import { runLimited } from '../../../server/process/limited-process.ts'
import type { PageRun } from './page-ranges.ts'

/** A page's longer side in pixels: among the others, and when it is read. */
const LONGER_SIDES = { small: 320, large: 1400 }

type PictureSize = keyof typeof LONGER_SIDES

const LIMITS = {
  small: { seconds: 20, clockSeconds: 60, megabytes: 512, mostBytes: 4 * 1024 * 1024 },
  large: { seconds: 20, clockSeconds: 60, megabytes: 512, mostBytes: 4 * 1024 * 1024 },
}

/**
 * Draws a run of pages with poppler's pdftoppm. Returns a JPEG for each, or null for all of them if they are not as many as
 * the pages: nobody can tell which is missing.
 */
export async function drawPages(
  bytes: Readable,
  drawer: string,
  { from, to }: PageRun,
  size: PictureSize,
  signal?: AbortSignal,
): Promise<Buffer[] | null> {
  const how = `-f ${from} -l ${to} -scale-to ${LONGER_SIDES[size]} -jpeg -jpegopt quality=75 -`.split(' ')
  const drawn = await runLimited([drawer, ...how], bytes, { ...LIMITS[size], signal })
  const pictures = jpegsIn(drawn)
  return pictures.length === to - from + 1 ? pictures : null
}

const [START, END, SCAN, FIRST_RESTART, LAST_RESTART] = [0xd8, 0xd9, 0xda, 0xd0, 0xd7]

/** Divides JPEGs that follow each other, part by part: what looks like an end may stand inside a part. */
export function jpegsIn(bytes: Buffer): Buffer[] {
  const jpegs: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const end = endOf(bytes, start)
    if (end === null) break
    jpegs.push(bytes.subarray(start, end))
    start = end
  }
  return jpegs
}

function endOf(bytes: Buffer, start: number): number | null {
  if (bytes[start] !== 0xff || bytes[start + 1] !== START) return null
  for (let at = start + 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const mark = bytes[at + 1]!
    if (mark === END) return at + 2
    if (at + 3 >= bytes.length) return null
    at += 2 + bytes.readUInt16BE(at + 2)
    if (mark === SCAN) at = nextMark(bytes, at)
  }
  return null
}

/** In scan data, 0xff before a zero is data, and there are restart marks. */
function nextMark(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return bytes.length
    const mark = bytes[at + 1]!
    if (mark !== 0 && !(mark >= FIRST_RESTART && mark <= LAST_RESTART)) return at
  }
}
