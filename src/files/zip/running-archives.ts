/** How many archives are sent at a time: each takes some memory, and the disk. */
const MOST = { all: 24, each: 4 }

/** Counts the archives that this process sends. */
export class RunningArchives {
  #each = new Map<number, number>()
  #all = 0

  /** Returns what to call when the archive has ended, or null if too many are sent already. */
  enter(userId: number): (() => void) | null {
    const own = this.#each.get(userId) ?? 0
    if (this.#all >= MOST.all || own >= MOST.each) return null
    this.#all++
    this.#each.set(userId, own + 1)
    return () => {
      this.#all--
      const left = this.#each.get(userId)! - 1
      if (left > 0) this.#each.set(userId, left)
      else this.#each.delete(userId)
    }
  }
}
