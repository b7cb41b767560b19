/** Does `work` for up to `most` items at once, and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const under: Promise<Result>[] = []
  for await (const item of items) {
    const result = work(item)
    result.catch(() => undefined) // the `await` below throws it
    under.push(result)
    if (under.length >= most) yield await under.shift()!
  }
  while (under.length > 0) yield await under.shift()!
}
