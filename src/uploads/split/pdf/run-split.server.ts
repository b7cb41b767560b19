import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { confinedNode } from '../../../server/process/confined-node.ts'
import { ProgramFailed, runLimited } from '../../../server/process/limited-process.ts'
import { PROJECT } from '../../../server/process/project-directory.ts'
import { FAULT_STATUSES, Unreadable, type ReadingFault } from '../../../server/reading/reading-fault.ts'
import { writeRanges } from './page-ranges.ts'
import { partsIn, PartsEnded } from './parts-in.server.ts'

/** Larger PDFs are not divided: the program has to hold all of it. */
export const MOST_SPLIT_BYTES = 256 * 1024 * 1024

const PROGRAM = fileURLToPath(new URL('src/uploads/split/pdf/split-program.server.ts', PROJECT))
/** Node itself takes half a gigabyte of this before it has read a byte. */
const LIMITS = { seconds: 120, clockSeconds: 300, megabytes: 2560 }
const HEAP_MEGABYTES = 1024

type Options = { signal?: AbortSignal; seconds?: number }

type Inspected = { pages: number; is_signed: boolean }

/** Counts the pages of a PDF as they will be divided. Throws `Unreadable` if it cannot be. */
export async function inspectPdf(bytes: Readable, options: Options = {}): Promise<Inspected> {
  const answer = await run(['inspect'], bytes, { mostBytes: 1000, ...options })
  return JSON.parse(answer.toString()) as Inspected
}

/**
 * Makes a PDF of each list of pages, and passes them on one by one. Throws `Unreadable` if it cannot, or if the PDF
 * does not have `count` pages.
 */
export async function splitPdf(
  bytes: Readable,
  count: number,
  parts: readonly (readonly number[])[],
  take: (part: Readable, index: number) => Promise<void>,
  options: Options = {},
): Promise<void> {
  let taken = 0
  const asked = parts.map(writeRanges).join(';')
  await run(['split', String(count), asked], bytes, {
    mostBytes: 0,
    ...options,
    take: async (answer) => {
      try {
        for await (const part of partsIn(answer)) {
          await take(part, taken)
          taken++
        }
      } catch (error) {
        if (!(error instanceof PartsEnded)) throw error // otherwise its status says why
      }
    },
  })
  if (taken !== parts.length) throw new Unreadable('damaged')
}

async function run(
  args: string[],
  bytes: Readable,
  { seconds, ...limits }: Partial<Parameters<typeof runLimited>[2]> & { mostBytes: number },
): Promise<Buffer> {
  const time = seconds === undefined ? {} : { seconds, clockSeconds: seconds }
  try {
    return await runLimited(
      [...confinedNode(HEAP_MEGABYTES), PROGRAM, ...args] as [string, ...string[]],
      bytes,
      {
        ...LIMITS,
        ...time,
        ...limits,
      },
    )
  } catch (error) {
    throw error instanceof ProgramFailed ? new Unreadable(faultOf(error), error) : error
  }
}

function faultOf({ status, outOf, said }: ProgramFailed): ReadingFault {
  if (outOf === 'processor' || outOf === 'clock') return 'slow'
  if (status === null || /heap out of memory|allocation failed/i.test(said)) return 'memory'
  return status === FAULT_STATUSES.locked ? 'locked' : 'damaged'
}
