const WINDOW_MS = 60_000
/** How many wrong keys an address may send in a minute before it has to wait. */
const FREE = 30
/** At most this many networks are remembered. More at once are an attack, and its first ones are enough. */
const MOST_NETWORKS = 1000

type Counted = { since: number; count: number }

/**
 * Counts wrong API keys by network. Nobody can guess a secret of 256 bits: it is a program that goes on asking with a key that
 * has ended which must slow down. Right keys of the same network are not counted, so that no stranger there shuts them out.
 */
export class WrongTokens {
  #counted = new Map<string, Counted>()

  /** Counts one, and returns for how many seconds its sender must wait; 0 if they need not. `now` is in milliseconds. */
  count(network: string, now: number): number {
    this.#forget(now)
    const counted = this.#counted.get(network) ?? { since: now, count: 0 }
    if (this.#counted.size < MOST_NETWORKS) this.#counted.set(network, counted)
    counted.count++
    return counted.count > FREE ? Math.max(1, Math.ceil((counted.since + WINDOW_MS - now) / 1000)) : 0
  }

  #forget(now: number): void {
    for (const [network, { since }] of this.#counted) {
      if (now < since + WINDOW_MS) return // the others are younger
      this.#counted.delete(network)
    }
  }
}
