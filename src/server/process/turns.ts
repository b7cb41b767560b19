export type Turns = {
  /** Stops the work that holds the key, waits until it has ended, then runs this work. */
  take<Result>(key: string, stop: () => void, work: () => Promise<Result>): Promise<Result>
}

type Turn = { stop: () => void; over: Promise<void> }

/** Runs one at a time for each key. The newest stops the one before it, which may hang on a dead connection. */
export class OwnTurns implements Turns {
  #last = new Map<string, Turn>()

  async take<Result>(key: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const turn = { stop, over }
    this.#last.set(key, turn)
    before?.stop()
    await before?.over
    try {
      return await work()
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
      end()
    }
  }
}
