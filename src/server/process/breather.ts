/** How long work may run before others get their turn. */
const TURN_MS = 8

/** The callers that wait to continue. */
const line: (() => void)[] = []

/** Lets one caller continue per round of the event loop, so that other requests wait for one turn at most. */
function goOn(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(goOn)
}

/**
 * For work that goes through many things: `await breathe()` between two of them pauses when the work has run long enough.
 */
export function breather(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    if (line.length === 0) setImmediate(goOn)
    return new Promise<void>((resolve) => line.push(resolve)).then(() => void (began = performance.now()))
  }
}

/** `items.map(make)` with pauses. */
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

/** Runs a generator to its end, with a pause at each yield. */
export async function inTurns<Result>(work: Generator<undefined, Result>): Promise<Result> {
  const breathe = breather()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await breathe()
  }
}
