import { readTexts } from '../src/reading/read-texts.db.ts'
import type { Parts } from '../src/server/parts.ts'
import { compareHeld } from '../src/uploads/held/compare-held.db.ts'

/** Reads everything that waits to be read, and shows what is held only for that, as the background work does. */
export async function readHeld(parts: Parts): Promise<void> {
  await compareHeld(parts.db, { canScan: false })
  const faults: unknown[] = []
  await readTexts(parts, {
    signal: new AbortController().signal,
    complain: (about) => faults.push(about),
    findScanner: () => Promise.resolve(null),
  })
  if (faults.length > 0) throw new Error('Something could not be read.', { cause: faults })
  while ((await compareHeld(parts.db, { canScan: false })) > 0);
}
