import { sql } from 'kysely'
import type { Database } from '../server/database/database.ts'
import { VERSION } from '../server/process/version.ts'
import { MAILED } from './attention.ts'
import type { JobFacts } from './facts.ts'
import { listJobs } from './facts.db.ts'
import type { Shared } from './metrics.server.ts'

/** The scrape waits no longer for the database. */
const LIMIT_MS = 3_000

/** Lists the metrics that all processes share: jobs, troubles and the version. */
export async function listSharedMetrics(db: Database): Promise<Shared[]> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(LIMIT_MS)}`.execute(trx)
    const jobs = await listJobs(trx)
    const open = await trx.selectFrom('troubles').select('kind').where('ended_at', 'is', null).execute()
    const byName = (count: (job: JobFacts) => number) =>
      Object.fromEntries(jobs.map((job) => [job.name, count(job)]))
    return [
      { name: 'ringbind_info', help: 'The version that runs.', label: 'version', values: { [VERSION]: 1 } },
      {
        name: 'ringbind_jobs_waiting',
        help: 'Jobs that wait or run, by name.',
        label: 'name',
        values: byName(({ waiting }) => waiting),
      },
      {
        name: 'ringbind_jobs_failed',
        help: 'Jobs that failed within the last day, by name.',
        label: 'name',
        values: byName(({ failed }) => failed),
      },
      {
        name: 'ringbind_trouble',
        help: 'Whether something needs attention, as the status page tells it.',
        label: 'kind',
        values: Object.fromEntries(
          MAILED.map((kind) => [kind, open.some((each) => each.kind === kind) ? 1 : 0]),
        ),
      },
    ]
  })
}
