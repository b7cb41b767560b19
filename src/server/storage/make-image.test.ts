import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { BadImage, ImageLate } from './image-fault.ts'
import { makeFitting, makeSquares } from './make-image.ts'

const MINUTES = 180_000
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a0' } })
const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const

/** How much of the processor this process takes for something, whatever else runs. */
async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return user + system
}

describe('a stranger’s image', () => {
  it(
    'the heaviest allowed image is remade in time, in a separate process',
    async () => {
      const heavy = await plain(7200, 7200).png({ progressive: true, compressionLevel: 9 }).toBuffer()
      const here = await processorOf(() => sharp(heavy).resize(256).webp().toBuffer())
      let squares: Buffer[] = []
      const own = await processorOf(async () => (squares = await makeSquares(heavy, [256, 72])))
      const [large, small] = squares
      expect((await sharp(large).metadata()).width).toBe(256)
      expect((await sharp(small).metadata()).width).toBe(72)
      // Decoding takes seconds, which are the program's.
      expect(own).toBeLessThan(here / 2)
    },
    MINUTES,
  )

  it('an image counts as late, not broken, if the clock runs out', { timeout: MINUTES }, async () => {
    const bytes = await plain(300, 300).png().toBuffer()
    const late = makeSquares(bytes, [256], '', { clockSeconds: 0.001 })
    await expect(late).rejects.toBeInstanceOf(ImageLate)
  })

  it('an image counts as too heavy if the processor time runs out', { timeout: MINUTES }, async () => {
    const bytes = await sharp({
      create: { width: 3000, height: 2400, channels: 3, background: '#000', noise },
    })
      .png({ progressive: true, compressionLevel: 1 })
      .toBuffer()
    const heavy = makeSquares(
      bytes,
      Array.from({ length: 2000 }, () => 2000),
      '',
      { seconds: 1 },
    )
    await expect(heavy).rejects.toMatchObject({ fault: 'heavy' })
  })

  it('a broken image says so, and the next one works', { timeout: MINUTES }, async () => {
    const bytes = await plain(900, 900).png().toBuffer()
    const broken = makeFitting(bytes.subarray(0, 500), { width: 90, height: 90 })
    await expect(broken).rejects.toBeInstanceOf(BadImage)
    expect(await makeFitting(bytes, { width: 90, height: 60 })).toMatchObject({ width: 60, height: 60 })
  })
})
