import type { Sharp } from 'sharp'
import { FairQueue, type Client } from '../process/fair-queue.ts'
import { HEAD, typeOf } from './measure.ts'

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

/** The image was not ready in time. That may be the machine's fault, so another try may succeed. */
export class ImageLate extends Error {}

/**
 * Returns WebP squares of an image, one per side length, which must be given largest first. They are upright, show
 * the first frame only, and carry no metadata. Works on one image at a time; clients take turns.
 */
export function makeSquares(bytes: Buffer, sides: number[], client: Client | string = ''): Promise<Buffer[]> {
  return queue.run(client, async () => {
    const square = await remade(bytes, (image) =>
      image.resize(sides[0], sides[0], { fit: 'cover', position: 'attention' }),
    )
    return Promise.all(sides.map((side) => square().resize(side, side).webp({ quality: 82 }).toBuffer()))
  })
}

type Picture = { bytes: Buffer; width: number; height: number }

/** Returns the whole image as a PNG, which mail programs show too, made to fit into a box and never enlarged. */
export function makeFitting(
  bytes: Buffer,
  box: { width: number; height: number },
  client: Client | string = '',
): Promise<Picture> {
  return queue.run(client, async () => {
    const fitting = await remade(bytes, (image) =>
      image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
    )
    const { data, info } = await fitting()
      .png({ compressionLevel: 9, palette: true })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  })
}

/** Returns the whole image as a small WebP, made to fit into a box and never enlarged. */
export async function makeSmall(bytes: Buffer, box: { width: number; height: number }): Promise<Buffer> {
  const small = await remade(bytes, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  )
  return small().webp({ quality: 70 }).toBuffer()
}

/** Returns the whole image as a PNG without colours on white, made to fit into a box and never enlarged. */
export async function makeGray(bytes: Buffer, box: { width: number; height: number }): Promise<Buffer> {
  const fitting = await remade(bytes, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  )
  return fitting().flatten({ background: '#fff' }).grayscale().png({ compressionLevel: 1 }).toBuffer()
}

const queue = new FairQueue({ atOnce: 1 })

/** Checks a stranger's image and decodes it once, resized. Returns a function that starts again from the result. */
async function remade(bytes: Buffer, resize: (image: Sharp) => Sharp): Promise<() => Sharp> {
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
    const { data, info } = await resize(upright)
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .timeout({ seconds: MOST_SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    return () => sharp(data, { raw })
  } catch (error) {
    if (error instanceof BadImage) throw error
    throw isLate(error) ? new ImageLate('no time left', { cause: error }) : new BadImage('broken', error)
  }
}

/** Sharp's own limit runs by the clock, and a busy machine takes long for any image. */
const isLate = (error: unknown) => error instanceof Error && /^timeout:/m.test(error.message)

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
