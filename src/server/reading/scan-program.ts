import { buffer } from 'node:stream/consumers'
import { makeGray } from '../storage/remake-image.ts'
import { SCAN_SIDE } from './read-scan.ts'

// A separate program, which `read-scan.ts` runs with little time and memory: the image on its standard input becomes an
// upright, grey one on its standard output, for tesseract to read.

process.stdout.write(await makeGray(await buffer(process.stdin), { width: SCAN_SIDE, height: SCAN_SIDE }))
