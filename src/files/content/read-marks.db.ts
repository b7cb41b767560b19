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

/** Whether another transaction has locked the file's row. Then the mark is tried again in the background. */
const isHeld = (error: unknown) => (error as { code?: string }).code === '55P03'
const TRIES = 4
const AGAIN_MS = 1000

type Read = { userId: number; fileId: number; version: number }

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

  async mark(userId: number, fileId: number, version: number): Promise<void> {
    const read = { userId, fileId, version }
    const key = `${userId} ${fileId} ${version}`
    if (this.#marked.has(key)) return
    const isOver = new AbortController()
    await Promise.race([
      this.#once(read, key),
      sleep(this.#waitMs, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined),
    ])
    isOver.abort()
  }

  /** Writes one mark, however many parts of a file are asked for at once. */
  #once(read: Read, key: string): Promise<void> {
    const writing =
      this.#underWay.get(key) ?? this.#write(read, key).finally(() => void this.#underWay.delete(key))
    this.#underWay.set(key, writing)
    return writing
  }

  async #write(read: Read, key: string, triesLeft = TRIES): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        // Does not wait long for a locked row, because every reader would hold a connection meanwhile.
        await sql`select set_config('lock_timeout', ${`${this.#waitMs}ms`}, true)`.execute(trx)
        // Nothing if the file has just been replaced: they have read what it showed before. The lock makes that exact.
        await sql`
          insert into file_reads (user_id, file_id)
          select ${read.userId}::bigint, id from files where id = ${read.fileId} and version = ${read.version} for key share
          on conflict (user_id, file_id) do update set at = excluded.at
          where file_reads.at < (select version_at from files where files.id = excluded.file_id)`.execute(trx)
      })
      if (this.#marked.size >= MOST_REMEMBERED) this.#marked.clear()
      this.#marked.add(key)
    } catch (err) {
      if (isHeld(err) && triesLeft > 1) {
        const again = () => void this.#write(read, key, triesLeft - 1)
        setTimeout(again, AGAIN_MS).unref()
        return
      }
      this.#complain({ err, file: read.fileId }, 'a file could not be marked as read')
    }
  }
}
