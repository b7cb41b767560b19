import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'

type Options = {
  /** Of what could not be written. */
  complain: (about: Record<string, unknown>, message: string) => void
  /** A file waits so long for its mark, at most. */
  waitMs?: number
}

/** So many are remembered as marked: a viewer fetches one file in many parts. */
const MOST_REMEMBERED = 10_000

/** Somebody holds the file's row: it is tried again, while nobody waits. */
const isHeld = (error: unknown) => (error as { code?: string }).code === '55P03'
const TRIES = 4
const AGAIN_MS = 1000

/** Marks files as read, so that the next page knows. Nobody is refused a file, or waits for long, because of it. */
export class ReadMarks {
  #db: Database
  #complain: Options['complain']
  #waitMs: number
  #marked = new Set<string>()
  #underWay = new Map<string, Promise<void>>()

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
      this.#once(userId, fileId, key),
      sleep(this.#waitMs, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined),
    ])
    isOver.abort()
  }

  /** However many parts are asked for at once, one of them writes. */
  #once(userId: number, fileId: number, key: string): Promise<void> {
    const writing =
      this.#underWay.get(key) ??
      this.#write(userId, fileId, key).finally(() => void this.#underWay.delete(key))
    this.#underWay.set(key, writing)
    return writing
  }

  async #write(userId: number, fileId: number, key: string, triesLeft = TRIES): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        // Whoever holds the file's row is not waited for, or every reader would hold a connection.
        await sql`select set_config('lock_timeout', ${`${this.#waitMs}ms`}, true)`.execute(trx)
        await trx
          .insertInto('file_reads')
          .values({ user_id: userId, file_id: fileId })
          .onConflict((known) => known.doNothing())
          .execute()
      })
      if (this.#marked.size >= MOST_REMEMBERED) this.#marked.clear()
      this.#marked.add(key)
    } catch (err) {
      if (isHeld(err) && triesLeft > 1) {
        const again = () => void this.#write(userId, fileId, key, triesLeft - 1)
        setTimeout(again, AGAIN_MS).unref()
        return
      }
      this.#complain({ err, file: fileId }, 'a file could not be marked as read')
    }
  }
}
