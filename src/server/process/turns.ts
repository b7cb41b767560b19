export type Turns = {
  /** Does the work when nobody else has the key any more; whoever has it is told to stop. */
  take<Result>(key: string, stop: () => void, work: () => Promise<Result>): Promise<Result>
}

type Turn = { stop: () => void; over: Promise<void> }

/** One at a time for each key; the newest ends the one before it, which may hang on a dead connection. */
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
