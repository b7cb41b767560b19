/**
 * Returns `next` with every equal part taken from `before`: parts that have not changed stay the same objects, so React
 * does not draw them again. For values that JSON can hold.
 */
export function reuse<Value>(before: unknown, next: Value): Value {
  return reused(before, next) as Value
}

function reused(before: unknown, next: unknown): unknown {
  if (Object.is(before, next)) return before
  if (Array.isArray(before) && Array.isArray(next)) {
    // `map` would skip the gaps of a sparse list.
    const byId = new Map(Array.from(before, (item: unknown) => [idOf(item), item]))
    const items = Array.from(next, (item: unknown, index) =>
      reused(idOf(item) === undefined ? before[index] : byId.get(idOf(item)), item),
    )
    return isSameList(before, items) ? before : items
  }
  if (!isRecord(before) || !isRecord(next)) return next
  const fields = Object.entries(next).map(([name, value]) => [name, reused(before[name], value)] as const)
  const isSame =
    fields.length === Object.keys(before).length && fields.every(([name, value]) => before[name] === value)
  return isSame ? before : Object.fromEntries(fields)
}

/** Rows are matched by id, wherever they are in the list. */
const idOf = (item: unknown) => (isRecord(item) ? item.id : undefined)

const isSameList = (before: readonly unknown[], next: readonly unknown[]) =>
  before.length === next.length && next.every((item, index) => item === before[index])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
