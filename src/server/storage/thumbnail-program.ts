import { buffer } from 'node:stream/consumers'
import { makeSmall } from './remake-image.ts'

// A program of its own, which `thumbnail.ts` runs with little time and memory: the image on its standard input becomes a
// small one on its standard output. An image that cannot be used ends it with an error.

const BOX = { width: 320, height: 452 }

const small = await makeSmall(await buffer(process.stdin), BOX)
process.stdout.write(small)
