import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../process/find-program.ts'
import { runLimited } from '../process/limited-process.ts'
import { PROJECT } from '../process/project-directory.ts'

/** The types that a small picture can be made of. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif']
export const PDF_TYPE = 'application/pdf'

/** Larger files keep their icon: reading them takes longer than a picture is worth. */
export const MOST_SOURCE_BYTES = 64 * 1024 * 1024

/** A page's longer side in pixels, whatever it measures: so the result is small in every case. */
const LONGER_SIDE = 452
const PROGRAM = fileURLToPath(new URL('src/server/storage/thumbnail-program.ts', PROJECT))

const OF_A_PAGE = { seconds: 20, megabytes: 512, mostBytes: 2 * 1024 * 1024 }
/** Node itself takes half of this memory before it has read a byte. */
const OF_A_PICTURE = { seconds: 20, megabytes: 1024, mostBytes: 128 * 1024 }

/** Returns where poppler's program is that draws the pages of a PDF, or null if this computer has none. */
export const findPageDrawer = () => findProgram('pdftoppm')

/** Returns a WebP of a picture, or of the first page of a PDF. Throws `ProgramFailed` if none can be made of it. */
export async function makeThumbnail(
  bytes: Readable,
  pageDrawer: string | null,
  options: { signal?: AbortSignal; seconds?: number; clockSeconds?: number } = {},
): Promise<Buffer> {
  const picture = pageDrawer
    ? Readable.from([await runLimited([pageDrawer, ...FIRST_PAGE], bytes, { ...OF_A_PAGE, ...options })])
    : bytes
  return runLimited([process.execPath, '--max-old-space-size=64', PROGRAM], picture, {
    ...OF_A_PICTURE,
    ...options,
  })
}

const FIRST_PAGE = `-f 1 -l 1 -singlefile -scale-to ${LONGER_SIDE} -png -`.split(' ')
