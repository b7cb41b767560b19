type Options = {
  /** How many run at a time, in all and per key. */
  atOnce?: number
  each?: number
}

type Waiting = (() => void)[]

/** A queue for limited work: each key (a person, a network) gets its turn, however much another one asks for. */
export class FairQueue {
  #options: Required<Options>
  #running = new Map<string, number>()
  #all = 0
  /** The waiting work by key, in the order of turns. */
  #waiting = new Map<string, Waiting>()

  constructor({ atOnce = Infinity, each = Infinity }: Options) {
    this.#options = { atOnce, each }
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(key)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Waits for a turn. Call the returned function once, when the work is over. */
  async enter(key: string): Promise<() => void> {
    if (!this.#isFree(key)) {
      const line = this.#waiting.get(key) ?? []
      this.#waiting.set(key, line)
      await new Promise<void>((resolve) => line.push(resolve))
    } else this.#begin(key)
    let isOver = false
    return () => {
      if (!isOver) this.#end(key)
      isOver = true
    }
  }

  #isFree(key: string): boolean {
    return this.#all < this.#options.atOnce && (this.#running.get(key) ?? 0) < this.#options.each
  }

  #begin(key: string): void {
    this.#all++
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  #end(key: string): void {
    this.#all--
    const left = this.#running.get(key)! - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
    for (const [next, line] of this.#waiting) {
      if (!this.#isFree(next)) continue
      this.#waiting.delete(next)
      const begin = line.shift()!
      if (line.length > 0) this.#waiting.set(next, line) // last in turn
      this.#begin(next)
      return begin()
    }
  }
}
