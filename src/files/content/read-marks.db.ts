import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Complain } from './reads.db.ts'

type Options = {
  /** Logs marks that could not be written. */
  complain: Complain
  /** How long sending a file waits for its mark, at most. */
  waitMs?: number
}

/** How many marks are remembered, at most. A viewer fetches one file in many parts, and the mark is written once. */
const MOST_REMEMBERED = 10_000

/** A version of a file that was read. */
type Read = { id: number; version: number }

const keyOf = (userId: number, { id, version }: Read) => `${userId} ${id} ${version}`

/** Whether another transaction has locked the file's row. Then the mark is tried again in the background. */
const isHeld = (error: unknown) => (error as { code?: string }).code === '55P03'
const TRIES = 4
const AGAIN_MS = 1000

/**
 * Marks files as read, which is what releases show as opened: opened or downloaded by themselves or in a ZIP, by a person who
 * is signed in. A thumbnail does not count, nor a program's download. The mark is there before the next page is shown; if that
 * fails or takes long, the file is sent all the same.
 */
export class ReadMarks {
  #db: Database
  #complain: Complain
  #waitMs: number
  #marked = new Set<string>()
  #underWay = new Map<string, Promise<void>>()

  constructor(db: Database, { complain, waitMs = 300 }: Options) {
    this.#db = db
    this.#complain = complain
    this.#waitMs = waitMs
  }

  async mark(userId: number, read: Read): Promise<void> {
    const key = keyOf(userId, read)
    if (this.#marked.has(key)) return
    const isOver = new AbortController()
    await Promise.race([
      this.#once(userId, read, key),
      sleep(this.#waitMs, undefined, { ref: false, signal: isOver.signal }).catch(() => undefined),
    ])
    isOver.abort()
  }

  /** Marks many files at once. */
  async markMany(userId: number, reads: readonly Read[]): Promise<void> {
    const fresh = reads.filter((read) => !this.#marked.has(keyOf(userId, read)))
    if (fresh.length > 0) await this.#write(userId, fresh)
  }

  /** Writes one mark, however many parts of a file are asked for at once. */
  #once(userId: number, read: Read, key: string): Promise<void> {
    const writing =
      this.#underWay.get(key) ?? this.#write(userId, [read]).finally(() => void this.#underWay.delete(key))
    this.#underWay.set(key, writing)
    return writing
  }

  async #write(userId: number, reads: Read[], triesLeft = TRIES): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        // Does not wait long for a locked row, because every reader would hold a connection meanwhile.
        await sql`select set_config('lock_timeout', ${`${this.#waitMs}ms`}, true)`.execute(trx)
        // Nothing for a file that has just been replaced: they have read what it showed before. The lock makes that exact.
        // In order, so that two who mark the same files wait for each other and not in a circle.
        await sql`
          insert into file_reads (user_id, file_id)
          select ${userId}::bigint, files.id
          from unnest(${reads.map(({ id }) => id)}::bigint[], ${reads.map(({ version }) => version)}::integer[])
            as read (id, version)
          join files on files.id = read.id and files.version = read.version
          order by files.id for key share of files
          on conflict (user_id, file_id) do update set at = excluded.at
          where file_reads.at < (select version_at from files where files.id = excluded.file_id)`.execute(trx)
      })
      if (this.#marked.size + reads.length > MOST_REMEMBERED) this.#marked.clear()
      for (const read of reads) this.#marked.add(keyOf(userId, read))
    } catch (err) {
      if (isHeld(err) && triesLeft > 1) {
        const again = () => void this.#write(userId, reads, triesLeft - 1)
        setTimeout(again, AGAIN_MS).unref()
        return
      }
      this.#complain({ err, file: reads[0]?.id, files: reads.length }, 'a file could not be marked as read')
    }
  }
}
