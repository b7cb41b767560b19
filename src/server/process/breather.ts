/** After so long others have their turn. */
const TURN_MS = 8

/** Those who wait to go on. */
const line: (() => void)[] = []

/** One of them goes on in each round of the event loop: however many there are, what else comes waits for one turn at most. */
function goOn(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(goOn)
}

/**
 * For work that goes through many things at once: `await breathe()` between two of them lets others have their turn as soon
 * as this one has taken long enough.
 */
export function breather(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    if (line.length === 0) setImmediate(goOn)
    return new Promise<void>((resolve) => line.push(resolve)).then(() => void (began = performance.now()))
  }
}

/** `items.map(make)`, with others having their turn meanwhile. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<Made[]> {
  const breathe = breather()
  const made: Made[] = []
  for (const item of items) {
    await breathe()
    made.push(make(item))
  }
  return made
}

/** What the work answers, with others having their turn at its pauses. */
export async function inTurns<Result>(work: Generator<undefined, Result>): Promise<Result> {
  const breathe = breather()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await breathe()
  }
}
