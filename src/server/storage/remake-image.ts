import type { Sharp } from 'sharp'
import { BadImage, ensureType } from './image-fault.ts'

// For programs that run with little time and memory. The server itself decodes no image: `src/house.test.ts`.

// The only decoders allowed to read strangers' bytes. Sharp's others, for SVG and PDF among them, are blocked.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)

/** A little more than today's cameras make. */
const MOST_PIXELS = 50 * 1024 * 1024
/** The most bytes of pixels in a progressive image, which is held in memory whole. */
const MOST_HELD = 160_000_000
/** At most this ratio between the sides: a narrower image would become a very long strip before it is cropped. */
const LONGEST_SIDE = 10

type Box = { width: number; height: number }
type Picture = Box & { bytes: Buffer }

/**
 * Returns WebP squares of an image, one per side length, which must be given largest first. They are upright, show
 * the first frame only, and carry no metadata.
 */
export async function remakeAsSquares(bytes: Buffer, sides: number[]): Promise<Picture[]> {
  const square = await remade(bytes, (image) =>
    image.resize(sides[0], sides[0], { fit: 'cover', position: 'attention' }),
  )
  return Promise.all(
    sides.map(async (side) => ({
      bytes: await square().resize(side, side).webp({ quality: 82 }).toBuffer(),
      width: side,
      height: side,
    })),
  )
}

/** Returns the whole image as a PNG, which mail programs show too, made to fit into a box and never enlarged. */
export async function remakeToFit(bytes: Buffer, box: Box): Promise<Picture> {
  const fitting = await remade(bytes, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  )
  const { data, info } = await fitting()
    .png({ compressionLevel: 9, palette: true })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

/** Returns the whole image as a small WebP, made to fit into a box and never enlarged. */
export async function makeSmall(bytes: Buffer, box: Box): Promise<Buffer> {
  const small = await remade(bytes, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  )
  return small().webp({ quality: 70 }).toBuffer()
}

/** Returns the whole image as a PNG without colours on white, made to fit into a box and never enlarged. */
export async function makeGray(bytes: Buffer, box: Box): Promise<Buffer> {
  const fitting = await remade(bytes, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  )
  return fitting().flatten({ background: '#fff' }).grayscale().png({ compressionLevel: 1 }).toBuffer()
}

/** Checks a stranger's image and decodes it once, resized. Returns a function that starts again from the result. */
async function remade(bytes: Buffer, resize: (image: Sharp) => Sharp): Promise<() => Sharp> {
  await ensureType(bytes)
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
      .raw()
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    return () => sharp(data, { raw })
  } catch (error) {
    throw error instanceof BadImage ? error : new BadImage('broken', error)
  }
}

let loaded: ReturnType<typeof load> | undefined

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
