import type { Act, Acts } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { findScanner } from '../server/reading/read-scan.ts'
import { untilDone } from '../server/work/loop.ts'
import { readTexts, type LaneName } from './read-texts.db.ts'
import { restWhileReceiving, wantTexts } from './texts.db.ts'

export function readingJobs(parts: Parts, { log }: WorkTools) {
  const { db, config } = parts
  const want = untilDone((stopping) => wantTexts(db, stopping))
  const read =
    (lane: LaneName): Act =>
    (signal) =>
      readTexts(
        parts,
        {
          signal,
          complain: (about, message) => log.warn(about, message),
          findScanner: config.readScans ? findScanner : () => Promise.resolve(null),
          rest: () => restWhileReceiving(db, signal),
        },
        lane,
      )
  return {
    'first-reading': async (stopping) => {
      await want(stopping)
      await read('first')(stopping)
    },
    'second-reading': read('second'),
    'reading-of-scans': read('scans'),
  } satisfies Acts
}
