import { buffer } from 'node:stream/consumers'
import { makeSmall } from './remake-image.ts'

// A separate program, which `thumbnail.ts` runs with little time and memory: the image on its standard input becomes a
// small one on its standard output. It ends with an error for an image that cannot be used.

const BOX = { width: 320, height: 452 }

const small = await makeSmall(await buffer(process.stdin), BOX)
process.stdout.write(small)
