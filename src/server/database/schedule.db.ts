import { sql } from 'kysely'
import { judgeSchedule } from '../../base/time/clock.ts'
import { lastTimeOf } from '../../base/time/cron.ts'
import type { Database, Trx } from './database.ts'

type Repeated = { name: string; cron: string }

/** Enqueues a repeated job when it is due, or was missed while nothing ran (`judgeSchedule`); once, however many instances check. */
export async function askWhenDue(
  db: Database,
  { name, cron }: Repeated,
  timeZone: string,
  ask: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('schedule of ' || ${name}::text, 0))`.execute(trx)
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
    const { now } = rows[0]!
    const row = await trx
      .selectFrom('schedules')
      .select(['cron', 'last_due'])
      .where('name', '=', name)
      .executeTakeFirst()
    // A changed cron line starts a new schedule.
    const last = row?.cron === cron ? row.last_due : undefined
    const verdict = judgeSchedule({ now, due: lastTimeOf(cron, timeZone, now), last })
    if (last !== undefined && verdict.last?.getTime() === last?.getTime()) return
    const next = { cron, last_due: verdict.last }
    await trx
      .insertInto('schedules')
      .values({ name, ...next })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(next))
      .execute()
    if (verdict.isDue) await ask(trx)
  })
}

/**
 * Moves jobs back that were created, retried or monitored while the clock was ahead: otherwise they would wait for
 * that time to come. Normally the times at which something happened are not ahead at all, and a next try at most an hour.
 */
export async function bringJobsBack(db: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      update jobs.job set
        start_after = start_after - (created_on - now()),
        keep_until = keep_until - (created_on - now()),
        created_on = now()
      where state in ('created', 'retry') and created_on > now() + interval '10 minutes'`.execute(trx)
    await sql`
      update jobs.job set start_after = now()
      where state = 'retry' and start_after > now() + interval '2 hours'`.execute(trx)
    await sql`
      update jobs.job set started_on = now(), heartbeat_on = case when heartbeat_on is null then null else now() end
      where state = 'active' and greatest(started_on, heartbeat_on) > now() + interval '10 minutes'`.execute(
      trx,
    )
    await sql`
      update jobs.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
      where greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '10 minutes'`.execute(trx)
    await sql`
      update jobs.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null,
        monitor_backoff_on = null
      where greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) > now() + interval '1 hour'`.execute(
      trx,
    )
  })
}
