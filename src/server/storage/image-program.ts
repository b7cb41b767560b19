import { buffer } from 'node:stream/consumers'
import { BadImage, IMAGE_STATUSES } from './image-fault.ts'
import { remakeAsSquares, remakeToFit } from './remake-image.ts'

// A separate program, which `make-image.ts` runs with little time and memory: the image on its standard input becomes
// pictures on its standard output. `squares 256 72` makes two squares, `fitting 640 160` one that fits into a box.

const [what, ...sizes] = process.argv.slice(2)
const numbers = sizes.map(Number)

try {
  const bytes = await buffer(process.stdin)
  const pictures =
    what === 'squares'
      ? await remakeAsSquares(bytes, numbers)
      : [await remakeToFit(bytes, { width: numbers[0]!, height: numbers[1]! })]
  const answer = pictures.map(({ bytes: made, width, height }) => ({
    bytes: made.toString('base64'),
    width,
    height,
  }))
  process.stdout.write(JSON.stringify(answer))
} catch (error) {
  if (!(error instanceof BadImage) || error.fault === 'heavy') throw error
  process.exitCode = IMAGE_STATUSES[error.fault]
}
