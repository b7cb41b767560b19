import { setTimeout as sleep } from 'node:timers/promises'
import { NO_OFFICE, type Office } from './office.ts'

/** How long other processes may show the office as it was before. */
const FRESH_MS = 1000
/** An error page must not wait for a database that is away. */
const PATIENCE_MS = 500

/** Knows the office's name and logo for the frame of every page, with one query a second at most. */
export class OfficeSign {
  #find: () => Promise<Office>
  #known = NO_OFFICE
  #knownAt = -Infinity
  #reading: Promise<void> | null = null
  #turn = 0

  constructor(find: () => Promise<Office>) {
    this.#find = find
  }

  /** Returns what was last known if the database does not answer. */
  async read(): Promise<Office> {
    if (performance.now() - this.#knownAt < FRESH_MS) return this.#known
    await Promise.race([this.#readAgain(), sleep(PATIENCE_MS, undefined, { ref: false })])
    return this.#known
  }

  /** Called after a change, so that the next page reads it. */
  forget(): void {
    this.#knownAt = -Infinity
    this.#reading = null
    this.#turn++
  }

  #readAgain(): Promise<void> {
    return (this.#reading ??= this.#readIn(this.#turn))
  }

  async #readIn(turn: number): Promise<void> {
    const { name, contactPerson, phone, email, logo } = await this.#find().catch(() => this.#known)
    if (this.#turn !== turn) return // it began before a change
    this.#known = { name, contactPerson, phone, email, logo }
    this.#knownAt = performance.now()
    this.#reading = null
  }
}
