import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FileOwner } from '../../access/reader.ts'
import type { Actor } from '../../log/log.db.ts'
import type { Database } from '../../server/database/database.ts'
import { ownerLogFields } from '../file/owner.db.ts'

/** `at` is the moment by `performance.now()`. */
type TimedRead = FileRead & { at: number }

export type FileRead = {
  act: 'file-opened' | 'file-downloaded'
  actor: Actor
  owner: FileOwner
  folderId: number
  fileId: number
  /** The number of the version that was read; null for the first one. */
  version: string | null
  /** The person through whom an adviser sees it. */
  lenderId: number | null
}

/** Logs what could not be done in the background. */
export type Complain = (about: Record<string, unknown>, message: string) => void

type Options = {
  /** Logs reads that could not be written. */
  complain: Complain
  everyMs?: number
  retryMs?: number
  /** How many reads wait while the database is away, at most. More are lost. */
  most?: number
}

/**
 * Logs who read what, once per person, version of a file, act and 10 minutes: a viewer fetches one file in many parts. Runs in the
 * background, and a fault here does not keep a file from being sent. A crash loses the last second.
 */
export class ReadLog {
  #db: Database
  #complain: Complain
  #everyMs: number
  #retryMs: number
  #most: number
  #waiting = new Map<string, TimedRead>()
  #lost = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<boolean> | undefined

  constructor(db: Database, { complain, everyMs = 1000, retryMs = 5000, most = 10_000 }: Options) {
    this.#db = db
    this.#complain = complain
    this.#everyMs = everyMs
    this.#retryMs = retryMs
    this.#most = most
  }

  add(read: FileRead): void {
    const { userId, asUserId } = read.actor
    const key = `${read.act} ${userId} ${asUserId} ${read.fileId} ${read.version}`
    if (this.#waiting.has(key)) return
    if (this.#waiting.size >= this.#most) this.#lost++
    else this.#waiting.set(key, { ...read, at: performance.now() })
    if (!this.#writing) this.#schedule(this.#everyMs)
  }

  /** Writes the reads that are left, for at most 3 seconds. */
  async close(): Promise<void> {
    this.#isClosed = true
    const finish = async () => {
      await this.#writing
      await this.#write()
    }
    await Promise.race([finish(), sleep(3000, undefined, { ref: false })])
    const lost = this.#waiting.size
    if (lost > 0) this.#complain({ lost }, 'reads of files were lost')
  }

  #schedule(ms: number): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#write(), ms).unref()
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#writing = this.#writeAll()
    const isWritten = await this.#writing
    this.#writing = undefined
    if (this.#waiting.size > 0) this.#schedule(isWritten ? this.#everyMs : this.#retryMs)
  }

  async #writeAll(): Promise<boolean> {
    const reads = [...this.#waiting]
    try {
      await addReads(
        this.#db,
        reads.map(([, read]) => read),
      )
    } catch (err) {
      this.#complain({ err, waiting: reads.length }, 'reads of files could not be written')
      return false
    }
    for (const [key] of reads) this.#waiting.delete(key)
    if (this.#lost > 0) this.#complain({ lost: this.#lost }, 'reads of files were lost')
    this.#lost = 0
    return true
  }
}

/** Writes reads under a lock: two instances that write at the same moment would not see each other's rows. */
export async function addReads(db: Database, reads: TimedRead[]): Promise<void> {
  const now = performance.now()
  const rows = reads.map(({ act, actor, owner, folderId, fileId, version, lenderId, at }) => {
    const { userId, projectId } = ownerLogFields(owner)
    return {
      age: (now - at) / 1000,
      act,
      user_id: actor.userId,
      as_user_id: actor.asUserId ?? null,
      token_id: actor.tokenId ?? null,
      address: actor.address,
      subject_user_id: userId,
      project_id: projectId,
      folder_id: folderId,
      file_id: fileId,
      detail: version,
      for_user_id: lenderId,
    }
  })
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('reads of files', 0))`.execute(trx)
    await sql`
      insert into log (at, act, user_id, as_user_id, token_id, address, subject_user_id, project_id, folder_id, file_id,
        detail, for_user_id)
      select at, act, user_id, as_user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail,
        for_user_id
      from json_to_recordset(${JSON.stringify(rows)}::json) as read (age float8, act text, user_id bigint, as_user_id bigint, token_id bigint, address inet,
        subject_user_id bigint, project_id bigint, folder_id bigint, file_id bigint, detail text, for_user_id bigint)
      cross join lateral (select clock_timestamp() - make_interval(secs => age) as at) as moment
      where not exists (
        select from log
        where log.file_id = read.file_id and log.user_id = read.user_id
          and log.as_user_id is not distinct from read.as_user_id and log.token_id is not distinct from read.token_id
          and log.act = read.act
          and log.detail is not distinct from read.detail
          and log.at > moment.at - interval '10 minutes' and log.at < moment.at + interval '10 minutes'
      )
      order by age desc`.execute(trx)
  })
}
