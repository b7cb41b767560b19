import { FairQueue } from '../../server/process/fair-queue.ts'
import { HEAD, typeOf } from '../../server/storage/measure.ts'

// The only decoders allowed to read strangers' bytes. Sharp's others, for SVG and PDF among them, are blocked.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)
const TYPES = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif'])

/** A little more than today's cameras make. */
const MOST_PIXELS = 50 * 1024 * 1024
/** The most bytes of pixels in a progressive image, which is held in memory whole. */
const MOST_HELD = 160_000_000
/** At most this ratio between the sides: a narrower image would become a very long strip before it is cropped. */
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
 * Returns WebP squares of an image, one per side length, which must be given largest first. They are upright, show
 * the first frame only, and carry no metadata. Works on one image at a time; clients take turns.
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
    // Phones write files that make a decoder warn. Refuses a file for errors only, not for warnings.
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

/** Loads sharp only when there is an image to decode, as it takes time and memory. */
async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
