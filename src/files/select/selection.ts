import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { NOTHING, type FileSelection } from './selected.ts'

type Items<Item> = ReadonlyMap<number, Item>
type Of<Item> = (item: Item) => number

/** Selects an item, or leaves it out if it is selected. A range begins here. */
export function toggle<Item>(selection: FileSelection<Item>, id: number, item: Item): FileSelection<Item> {
  const items = new Map(selection.items)
  if (!items.delete(id) && items.size < MOST_AT_ONCE) items.set(id, item)
  return { items, anchor: id, head: id, base: items }
}

/**
 * Selects everything from the anchor to an item, in the order shown, in addition to what was selected before. Replaces
 * the previous range from the same anchor: Shift+Down and then Shift+Up is one row less. Without a visible anchor, the
 * item alone is the range.
 */
export function selectTo<Item>(
  selection: FileSelection<Item>,
  order: readonly Item[],
  to: number,
  idOf: Of<Item>,
): FileSelection<Item> {
  const ids = order.map(idOf)
  const end = ids.indexOf(to)
  if (end < 0) return selection
  const isShown = selection.anchor !== null && ids.includes(selection.anchor)
  const start = isShown ? ids.indexOf(selection.anchor!) : end
  const range = order.slice(Math.min(start, end), Math.max(start, end) + 1)
  return { ...selection, anchor: ids[start]!, head: to, items: joined(selection.base, range, idOf) }
}

/** Begins a range at an item, unless a range ends there: Shift+arrow continues from the focused row. */
export function startAt<Item>(selection: FileSelection<Item>, from: number): FileSelection<Item> {
  return selection.head === from
    ? selection
    : { ...selection, anchor: from, head: from, base: selection.items }
}

/** Also selects these, as many as one act accepts. */
export function selectAll<Item>(
  selection: FileSelection<Item>,
  more: readonly Item[],
  idOf: Of<Item>,
): FileSelection<Item> {
  const items = joined(selection.items, more, idOf)
  return { ...selection, items, base: items }
}

/** Removes items that are gone. */
export function keepOnly<Item>(
  selection: FileSelection<Item>,
  isThere: (id: number) => boolean,
): FileSelection<Item> {
  const kept = (all: Items<Item>) => new Map([...all].filter(([id]) => isThere(id)))
  const items = kept(selection.items)
  if (items.size === selection.items.size) return selection
  if (items.size === 0) return NOTHING
  const end = (id: number | null) => (id !== null && isThere(id) ? id : null)
  return { items, base: kept(selection.base), anchor: end(selection.anchor), head: end(selection.head) }
}

function joined<Item>(items: Items<Item>, more: readonly Item[], idOf: Of<Item>): Items<Item> {
  const next = new Map(items)
  for (const item of more) {
    if (next.size >= MOST_AT_ONCE) break
    next.set(idOf(item), item)
  }
  return next
}
