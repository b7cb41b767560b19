import { makeStore } from '../../ui/basic/store.ts'
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

const store = makeStore<FileSelection<Picked>>(NOTHING)

/**
 * The selection on this page. Kept outside React, so that only the row that changes is drawn again, and not the two
 * thousand beside it.
 */
export const selected = { ...store, has: (file: number) => store.now().items.has(file) }
