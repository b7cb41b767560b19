/** How many archives are sent at a time, to all and to each person, and how many files they have: each takes some memory. */
const MOST = { all: 24, each: 4, files: 300_000 }

/** Counts the archives that this process sends. */
export class RunningArchives {
  #each = new Map<number, number>()
  #all = 0
  #files = 0

  /** Returns a function to call when the archive has ended, or null if too many are running. */
  enter(userId: number, files: number): (() => void) | null {
    const own = this.#each.get(userId) ?? 0
    const isFull = this.#all >= MOST.all || this.#files + files > MOST.files
    if (isFull || own >= MOST.each) return null
    this.#all++
    this.#files += files
    this.#each.set(userId, own + 1)
    return () => {
      this.#all--
      this.#files -= files
      const left = this.#each.get(userId)! - 1
      if (left > 0) this.#each.set(userId, left)
      else this.#each.delete(userId)
    }
  }
}
