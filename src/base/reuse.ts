/**
 * Returns `next`, made of the parts of `before` that are equal: what has not changed stays the same object, and React does not
 * draw it again. For what JSON can hold.
 */
export function reuse<Value>(before: unknown, next: Value): Value {
  return reused(before, next) as Value
}

function reused(before: unknown, next: unknown): unknown {
  if (Object.is(before, next)) return before
  if (Array.isArray(before) && Array.isArray(next)) {
    // Not `map`, which leaves out what is missing in a list.
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

/** Rows are compared with themselves, wherever they stand now. */
const idOf = (item: unknown) => (isRecord(item) ? item.id : undefined)

const isSameList = (before: readonly unknown[], next: readonly unknown[]) =>
  before.length === next.length && next.every((item, index) => item === before[index])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
