import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'

type Options = {
  /** Logs what could not be written. */
  complain: (about: Record<string, unknown>, message: string) => void
  /** How long sending a file waits for its mark, at most. */
  waitMs?: number
}

/** How many marks are remembered, at most. A viewer fetches one file in many parts, and the mark is written once. */
const MOST_REMEMBERED = 10_000

const keyOf = (userId: number, fileId: number) => `${userId} ${fileId}`

/** Whether another transaction has locked the file's row. Then the mark is tried again in the background. */
const isHeld = (error: unknown) => (error as { code?: string }).code === '55P03'
const TRIES = 4
const AGAIN_MS = 1000

/** Marks files as read, so that the next page knows. If that fails or takes long, the file is sent all the same. */
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
    const key = keyOf(userId, fileId)
    if (this.#marked.has(key)) return
    const isOver = new AbortController()
    await Promise.race([
      this.#once(userId, fileId, key),
      sleep(this.#waitMs, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined),
    ])
    isOver.abort()
  }

  /** Marks many files at once. */
  async markMany(userId: number, fileIds: readonly number[]): Promise<void> {
    const fresh = fileIds.filter((id) => !this.#marked.has(keyOf(userId, id)))
    if (fresh.length > 0) await this.#write(userId, fresh)
  }

  /** Writes one mark, however many parts of a file are asked for at once. */
  #once(userId: number, fileId: number, key: string): Promise<void> {
    const writing =
      this.#underWay.get(key) ?? this.#write(userId, [fileId]).finally(() => void this.#underWay.delete(key))
    this.#underWay.set(key, writing)
    return writing
  }

  async #write(userId: number, fileIds: number[], triesLeft = TRIES): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        // Does not wait long for a locked row, because every reader would hold a connection meanwhile.
        await sql`select set_config('lock_timeout', ${`${this.#waitMs}ms`}, true)`.execute(trx)
        // In order, so that two who mark the same files wait for each other and not in a circle.
        await sql`
          insert into file_reads (user_id, file_id)
          select ${userId}, id from unnest(${fileIds}::bigint[]) as read (id) order by id
          on conflict do nothing`.execute(trx)
      })
      if (this.#marked.size + fileIds.length > MOST_REMEMBERED) this.#marked.clear()
      for (const id of fileIds) this.#marked.add(keyOf(userId, id))
    } catch (err) {
      if (isHeld(err) && triesLeft > 1) {
        const again = () => void this.#write(userId, fileIds, triesLeft - 1)
        setTimeout(again, AGAIN_MS).unref()
        return
      }
      this.#complain({ err, file: fileIds[0], files: fileIds.length }, 'a file could not be marked as read')
    }
  }
}
