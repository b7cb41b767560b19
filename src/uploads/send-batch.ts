import type { TemporaryFile } from './temporary-file.ts'

/** S9.10, as this product has them. */
export const SENDING = { parallel: 2, batchBytes: 2_000_000, retries: 3, silenceMs: 30_000 }

/** What came of a call: what is on the server now, or what was wrong with which file, or that it did not get there. */
export type Sent =
  | { kind: 'sent'; files: TemporaryFile[] }
  | { kind: 'refused'; message: string; faults: Map<number, string> }
  | { kind: 'broken' }

/** Small files go together, so that a thousand of them are not a thousand calls; a large one goes alone. */
export function nextBatch<Item extends { size: number }>(waiting: readonly Item[], most = 25): Item[] {
  const batch: Item[] = []
  let bytes = 0
  for (const item of waiting) {
    if (batch.length > 0 && (bytes + item.size > SENDING.batchBytes || batch.length === most)) break
    batch.push(item)
    bytes += item.size
  }
  return batch
}

/** What a refusal says of each file: `files.3` is the fourth of the call. */
export function faultsOf(errors: Record<string, string[]>): Map<number, string> {
  return new Map(
    Object.entries(errors).flatMap(([field, texts]) => {
      const place = /^files\.(\d+)$/.exec(field)?.[1]
      return place === undefined ? [] : [[Number(place), texts.join(' ')] as const]
    }),
  )
}
