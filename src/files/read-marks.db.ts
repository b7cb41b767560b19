import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../server/database.ts'

type Options = {
  /** Of what could not be written. */
  complain: (about: Record<string, unknown>, message: string) => void
  /** A file waits so long for its mark, at most. */
  waitMs?: number
}

/** So many are remembered as marked: a viewer fetches one file in many parts. */
const MOST_REMEMBERED = 10_000

/** Marks files as read, so that the next page knows. Nobody is refused a file, or waits for long, because of it. */
export class ReadMarks {
  #db: Database
  #complain: Options['complain']
  #waitMs: number
  #marked = new Set<string>()

  constructor(db: Database, { complain, waitMs = 300 }: Options) {
    this.#db = db
    this.#complain = complain
    this.#waitMs = waitMs
  }

  async mark(userId: number, fileId: number): Promise<void> {
    const key = `${userId} ${fileId}`
    if (this.#marked.has(key)) return
    const isOver = new AbortController()
    await Promise.race([
      this.#write(userId, fileId, key),
      sleep(this.#waitMs, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined),
    ])
    isOver.abort()
  }

  async #write(userId: number, fileId: number, key: string): Promise<void> {
    try {
      await this.#db
        .insertInto('file_reads')
        .values({ user_id: userId, file_id: fileId })
        .onConflict((known) => known.doNothing())
        .execute()
      if (this.#marked.size >= MOST_REMEMBERED) this.#marked.clear()
      this.#marked.add(key)
    } catch (err) {
      this.#complain({ err, file: fileId }, 'a file could not be marked as read')
    }
  }
}
