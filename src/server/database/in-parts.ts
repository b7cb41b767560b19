/** How many rows one statement writes, so that none takes long and others get their turn. */
const AT_A_TIME = 1000

/** Yields a list in parts that fit one statement. */
export function* inParts<Item>(items: readonly Item[], size = AT_A_TIME): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
