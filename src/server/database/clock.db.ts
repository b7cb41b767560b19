import { uptime } from 'node:os'
import { sql } from 'kysely'
import { judgeClock, type ClockVerdict } from '../../base/time/clock.ts'
import type { Database } from './database.ts'

/** Watches the database's clock, which decides what is old enough to be deleted. */
export class Clock {
  #db: Database
  #uptime: () => number
  #lookedAt: number | null = null

  /** `uptimeOf` returns seconds of a clock that nobody can set and that also runs while the computer sleeps. */
  constructor(db: Database, uptimeOf: () => number = uptime) {
    this.#db = db
    this.#uptime = uptimeOf
  }

  /** Checks the clock once and stores the result for the next check, in this process or another. */
  async look(): Promise<ClockVerdict & { isStart: boolean }> {
    return this.#db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('clock', 0))`.execute(trx)
      const { rows } = await sql<{ now: Date; seen: Date | null; expected: Date | null; ran: number | null }>`
        select clock_timestamp() as now, seen_at as seen, expected_at as expected, doubted_seconds as ran
        from (select 1) as once left join clock on true`.execute(trx)
      const { now, seen, expected, ran } = rows[0]!
      const at = this.#uptime()
      // An upper bound, since another process may have checked in between.
      const elapsed = this.#lookedAt === null ? null : Math.max(0, at - this.#lookedAt) * 1000
      const doubt = expected && { expected: expected.getTime(), ran: ran! * 1000 }
      const verdict = judgeClock({ now: now.getTime(), seen: seen?.getTime() ?? null, elapsed, doubt })
      const next = {
        seen_at: now,
        expected_at: verdict.doubt && new Date(verdict.doubt.expected),
        doubted_seconds: (verdict.doubt?.ran ?? 0) / 1000,
      }
      await trx
        .insertInto('clock')
        .values({ is_only: true, ...next })
        .onConflict((conflict) => conflict.column('is_only').doUpdateSet(next))
        .execute()
      const isStart = this.#lookedAt === null
      this.#lookedAt = at
      return { ...verdict, isStart }
    })
  }
}
