import type { Picked } from '../screen/use-files-screen.ts'

/** The selection, and where Shift continues from (`selection.ts`). */
export type FileSelection<Item> = {
  /** The selected files by id, in the order in which they were selected. */
  items: ReadonlyMap<number, Item>
  /** Where a range begins, and the end that moves with Shift. */
  anchor: number | null
  head: number | null
  /** The selection before the range began. */
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
 * The selection on this page. Kept outside React, so that only the row that changes is drawn again, and not the two
 * thousand beside it.
 */
export const selected = { now: () => now, has: (file: number) => now.items.has(file), set, listen }
