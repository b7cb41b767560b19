import { formatBytes } from '../../base/bytes.ts'
import { addSample, secondsLeft, type Sample } from '../../uploads/transport/time-left.ts'

/** The progress of long work, and how long the rest will take. */
export class Pace {
  readonly #total: number
  readonly #bytes: number
  readonly #now: () => number
  #done = 0
  #doneBytes = 0
  #samples: readonly Sample[] = []

  constructor(total: number, bytes = 0, now: () => number = () => performance.now()) {
    this.#total = total
    this.#bytes = bytes
    this.#now = now
  }

  add(count: number, bytes = 0): void {
    this.#done += count
    this.#doneBytes += bytes
    const at = this.#now()
    // Joins many small steps into one sample, so that the list stays short.
    if (at - (this.#samples.at(-1)?.at ?? -Infinity) >= 250)
      this.#samples = addSample(this.#samples, { at, done: this.#weight() })
  }

  /** '1200 of 20000 files, 1.2 GB of 20 GB, about 5 minutes left' */
  text(what: string): string {
    const parts = [`${this.#done} of ${this.#total} ${what}`]
    if (this.#bytes > 0) parts.push(`${formatBytes(this.#doneBytes)} of ${formatBytes(this.#bytes)}`)
    const seconds = secondsLeft(this.#samples, this.#all() - this.#weight())
    if (seconds !== null) parts.push(leftText(seconds))
    return parts.join(', ')
  }

  /** A file costs about as much as this many bytes. */
  #weight = () => this.#done * PER_FILE + this.#doneBytes
  #all = () => this.#total * PER_FILE + this.#bytes
}

const PER_FILE = 200_000

function leftText(seconds: number): string {
  if (seconds < 60) return `about ${Math.max(1, Math.ceil(seconds / 10) * 10)} seconds left`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `about ${minutes} minutes left`
  return `about ${Math.round(minutes / 60)} hours left`
}
