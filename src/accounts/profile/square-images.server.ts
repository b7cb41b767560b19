import { FairQueue } from '../../server/process/fair-queue.ts'
import { HEAD, typeOf } from '../../server/storage/measure.ts'

// The decoders that strangers' bytes may meet. What sharp could read besides, SVG and PDF among them, never does.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)
const TYPES = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif'])

/** What a camera of today makes, and a little more. */
const MOST_PIXELS = 50 * 1024 * 1024
/** An image that comes in layers is held in memory whole. */
const MOST_HELD = 160_000_000
/** A side so many times the other would become a strip of any length before it is cut. */
const LONGEST_SIDE = 10
const MOST_SECONDS = 30

export type ImageFault = 'type' | 'pixels' | 'shape' | 'broken'

export class BadImage extends Error {
  fault: ImageFault
  constructor(fault: ImageFault, cause?: unknown) {
    super(`The image cannot be used: ${fault}.`, { cause })
    this.fault = fault
  }
}

/**
 * Squares of an image as WebP, one for each side, the largest first: upright, of the first picture of several, and
 * without anything that the file told besides. One image at a time, each client's in its turn.
 */
export function makeSquares(bytes: Buffer, sides: number[], client = ''): Promise<Buffer[]> {
  return queue.run(client, () => squaresOf(bytes, sides))
}

const queue = new FairQueue({ atOnce: 1 })

async function squaresOf(bytes: Buffer, sides: number[]): Promise<Buffer[]> {
  if (!TYPES.has(await typeOf(bytes.subarray(0, HEAD)))) throw new BadImage('type')
  const sharp = await (loaded ??= load())
  try {
    const { width, height, channels, depth, isProgressive } = await sharp(bytes, {
      limitInputPixels: false,
    }).metadata()
    if (width * height > MOST_PIXELS) throw new BadImage('pixels')
    const sample = depth === 'uchar' ? 1 : 2
    if (isProgressive && width * height * channels * sample > MOST_HELD) throw new BadImage('pixels')
    if (Math.max(width, height) > LONGEST_SIDE * Math.min(width, height)) throw new BadImage('shape')
    // Telephones write files at which a decoder shakes its head: warnings are no reason to refuse one, errors are.
    const upright = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).autoOrient()
    const { data, info } = await upright
      .resize(sides[0], sides[0], { fit: 'cover', position: 'attention' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .timeout({ seconds: MOST_SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    return await Promise.all(
      sides.map((side) => sharp(data, { raw }).resize(side, side).webp({ quality: 82 }).toBuffer()),
    )
  } catch (error) {
    throw error instanceof BadImage ? error : new BadImage('broken', error)
  }
}

let loaded: ReturnType<typeof load> | undefined

/** Only when there is something to decode: it takes its time and its memory. */
async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
