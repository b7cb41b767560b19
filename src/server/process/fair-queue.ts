type Options = {
  /** How many run at a time, in all, and per person or network. */
  atOnce?: number
  each?: number
}

/**
 * The client that work is done for: a person or a network, and which of its keys or sessions, which share its turns.
 */
export type Client = { who: string; by: string }

/** The waiting work of one person or network, by key or session, in the order of turns. */
type Lines = Map<string, (() => void)[]>

/**
 * A queue for limited work: each person or network gets its turn, however much another one asks for, and inside it each of
 * its keys and sessions.
 */
export class FairQueue {
  #options: Required<Options>
  #running = new Map<string, number>()
  #all = 0
  /** The waiting work, in the order of turns. */
  #waiting = new Map<string, Lines>()

  constructor({ atOnce = Infinity, each = Infinity }: Options) {
    this.#options = { atOnce, each }
  }

  async run<Result>(client: Client | string, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(client)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Waits for a turn. Call the returned function once, when the work is over. */
  async enter(client: Client | string): Promise<() => void> {
    const { who, by } = typeof client === 'string' ? { who: client, by: '' } : client
    if (this.#isFree(who)) this.#begin(who)
    else {
      const lines: Lines = this.#waiting.get(who) ?? new Map()
      this.#waiting.set(who, lines)
      const line = lines.get(by) ?? []
      lines.set(by, line)
      await new Promise<void>((resolve) => line.push(resolve))
    }
    let isOver = false
    return () => {
      if (!isOver) this.#end(who)
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
    for (const [next, lines] of this.#waiting) {
      if (!this.#isFree(next)) continue
      const [by, line] = lines.entries().next().value!
      const begin = line.shift()!
      // Last in turn from now on.
      lines.delete(by)
      if (line.length > 0) lines.set(by, line)
      this.#waiting.delete(next)
      if (lines.size > 0) this.#waiting.set(next, lines)
      this.#begin(next)
      return begin()
    }
  }
}
