/** A piece that takes less time than this is followed by a larger one. */
const QUICK_MS = 500
/** A piece that takes longer than this is followed by a smaller one: if it breaks, all of it is sent again. */
const SLOW_MS = 2000

/** Decides how large the next piece of a file is: the least size at first, larger while pieces arrive quickly. */
export class PieceSize {
  bytes: number
  #least: number
  #most: number

  constructor(least: number, most: number) {
    this.bytes = least
    this.#least = least
    this.#most = Math.max(least, most)
  }

  /** A piece has arrived. */
  took(ms: number): void {
    if (ms < QUICK_MS) this.bytes = Math.min(this.bytes * 2, this.#most)
    else if (ms > SLOW_MS) this.bytes = Math.max(this.bytes / 2, this.#least)
  }

  /** A piece was lost. */
  startOver(): void {
    this.bytes = this.#least
  }

  /** A piece was refused as too large, as a proxy may do. Returns whether a smaller one may be taken. */
  stopGrowing(): boolean {
    const isGrown = this.bytes > this.#least
    this.#most = this.#least
    this.startOver()
    return isGrown
  }
}
