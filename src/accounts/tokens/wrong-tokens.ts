const WINDOW_MS = 60_000
/** How many wrong keys an address may send in a minute before it has to wait. */
const FREE = 30
/** At most this many networks are remembered. More at once are an attack, and counting the first ones is enough. */
const MOST_NETWORKS = 1000

type Counted = { since: number; count: number }

/**
 * Counts wrong API keys by network. Nobody can guess a secret of 256 bits; this slows down programs that keep asking
 * with an ended key. Right keys from the same network are not counted, so a stranger there cannot shut them out.
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
