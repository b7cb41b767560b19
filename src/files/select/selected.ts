import type { Picked } from '../screen/use-files-screen.ts'

/** What is selected, and how Shift selects on from there (`selection.ts`). */
export type FileSelection<Item> = {
  /** The selected files by id, in the order in which they were selected. */
  items: ReadonlyMap<number, Item>
  /** Where a range begins, and the end that moves with Shift. */
  anchor: number | null
  head: number | null
  /** What was selected before the range began. */
  base: ReadonlyMap<number, Item>
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>()

export const NOTHING: FileSelection<never> = { items: NONE, anchor: null, head: null, base: NONE }

let now: FileSelection<Picked> = NOTHING
const listeners = new Set<() => void>()

function set(next: FileSelection<Picked>): void {
  now = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * What is selected on this page. Kept outside React, so that a selected row is drawn again and the two thousand beside it
 * are not.
 */
export const selected = { now: () => now, has: (file: number) => now.items.has(file), set, listen }
