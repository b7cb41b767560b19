import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FairQueue, type Client } from '../process/fair-queue.ts'
import { ProgramFailed, runLimited } from '../process/limited-process.ts'
import { PROJECT } from '../process/project-directory.ts'
import { BadImage, ensureType, IMAGE_STATUSES, ImageLate, type ImageFault } from './image-fault.ts'

const PROGRAM = fileURLToPath(new URL('src/server/storage/image-program.ts', PROJECT))

/**
 * The heaviest images that are allowed take 4 s of processor. A busy machine gets ten times as long on the clock, and then
 * asks for another try. Node itself takes half of the memory before it has read a byte.
 */
export const LIMITS = {
  seconds: 40,
  clockSeconds: 120,
  megabytes: 1024,
  mostBytes: 4 * 1024 * 1024,
  isUrgent: true,
}

type Limits = Partial<Pick<typeof LIMITS, 'seconds' | 'clockSeconds'>>
type Picture = { bytes: Buffer; width: number; height: number }

/** Returns WebP squares of a stranger's image, one per side length, which must be given largest first. */
export async function makeSquares(
  bytes: Buffer,
  sides: number[],
  client: Client | string = '',
  limits: Limits = {},
): Promise<Buffer[]> {
  return (await make(['squares', ...sides.map(String)], bytes, client, limits)).map((each) => each.bytes)
}

/** Returns the whole of a stranger's image as a PNG, made to fit into a box and never enlarged. */
export async function makeFitting(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
  client: Client | string = '',
): Promise<Picture> {
  const [picture] = await make(['fitting', String(width), String(height)], bytes, client)
  return picture!
}

/** One image at a time; clients take turns. */
const queue = new FairQueue({ atOnce: 1 })

async function make(
  what: string[],
  bytes: Buffer,
  client: Client | string,
  limits: Limits = {},
): Promise<Picture[]> {
  const program: [string, ...string[]] = [process.execPath, '--max-old-space-size=64', PROGRAM, ...what]
  await ensureType(bytes)
  return queue.run(client, async () => {
    try {
      const answer = await runLimited(program, Readable.from([bytes]), { ...LIMITS, ...limits })
      const pictures = JSON.parse(answer.toString()) as { bytes: string; width: number; height: number }[]
      return pictures.map((each) => ({ ...each, bytes: Buffer.from(each.bytes, 'base64') }))
    } catch (error) {
      throw reasonOf(error)
    }
  })
}

/** Errors of a machine that has no room for another program. */
const NO_ROOM = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'])

function reasonOf(error: unknown): unknown {
  if (!(error instanceof ProgramFailed)) {
    const isMachine = error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code))
    return isMachine ? new ImageLate('no room for a program', { cause: error }) : error
  }
  const { status, outOf } = error
  if (outOf === 'processor') return new BadImage('heavy', error)
  if (outOf !== null) return new ImageLate(`out of ${outOf}`, { cause: error })
  const known = Object.entries(IMAGE_STATUSES).find(([, own]) => own === status)
  if (known) return new BadImage(known[0] as ImageFault, error)
  // A decoder that crashed. Any other end is a fault of ours.
  return status === null ? new BadImage('broken', error) : error
}
