import { sql, type RawBuilder } from 'kysely'
import type { Client } from 'pg'
import { z } from 'zod'
import type { Trx } from './database.ts'

export const unfinishedJobs = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    priority: z.number(),
    retryLimit: z.number(),
    retryDelay: z.number(),
    retryBackoff: z.boolean(),
    startAfter: z.string(),
    expireInSeconds: z.number(),
  }),
)
export type UnfinishedJob = z.infer<typeof unfinishedJobs>[number]

/** Returns jobs that were enqueued and are not done, except repeated ones: their schedule enqueues them again. */
export async function listUnfinishedJobs(client: Client): Promise<UnfinishedJob[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('jobs.job') is not null as there`,
  )
  if (!found[0]!.there) return []
  const { rows } = await client.query<{ jobs: UnfinishedJob[] }>(`
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'data', coalesce(data, '{}'), 'priority', priority,
      'retryLimit', greatest(retry_limit - retry_count, 0), 'retryDelay', retry_delay, 'retryBackoff', retry_backoff,
      'startAfter', to_char(start_after at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'expireInSeconds', expire_seconds) order by created_on, id), '[]') as jobs
    from jobs.job
    where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss\\_\\_%'
      and name not in (select name from jobs.schedule)
      and name not in (select name from schedules)`)
  return rows[0]!.jobs
}

/** Condition: the job with this id waits, runs, or is tried again. */
export const isJobUnderWay = (name: string, id: RawBuilder<string>) => sql<boolean>`exists (
  select from jobs.job where job.name = ${name} and job.id = ${id} and job.state in ('created', 'retry', 'active'))`

/** Counts the jobs of a queue that wait and whose data names the same turn, up to `most`. */
export async function countWaiting(
  trx: Trx,
  { name, turn, most }: { name: string; turn: string; most: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from jobs.job where job.name = ${name} and job.state in ('created', 'retry') and job.data ->> 'turn' = ${turn}
      limit ${most}) as waiting`.execute(trx)
  return rows[0]!.count
}
