import { sql } from 'kysely'
import { newReaders, type Sight } from '../../access/sight.ts'
import { needsApproval } from '../../office/office.db.ts'
import type { Database } from '../../server/database/database.ts'
import { claimEach } from '../../server/work/claim.db.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { enterGate } from '../approval/enter-gate.db.ts'
import { readPlanSight } from '../release/plan-sight.db.ts'
import { askFor, publishWithin } from './releases.db.ts'

type Planned = {
  id: number
  submission_id: number
  planned_by: number | null
  publish_at: Date
  planned_for: Sight | null
}

/**
 * Publishes planned releases whose time has come, each in its own transaction, in the name of who planned it. One that would
 * show more than it was planned or approved for waits for approval instead.
 */
export async function publishPlanned(db: Database, jobs: Jobs): Promise<number> {
  const rows = sql<Planned>`
    select id, submission_id, planned_by, publish_at, planned_for from releases
    where state = 'planned' and publish_at <= now() order by publish_at, id`
  return claimEach(db, { rows, lock: 'no key update', before: enterGate }, async (trx, release) => {
    const { planned_by: planner, planned_for: plannedSight } = release
    const actor = { userId: planner, address: null }
    const isMore =
      plannedSight !== null &&
      (await needsApproval(trx)) &&
      newReaders(plannedSight, await readPlanSight(trx, release.submission_id)).length > 0
    if (isMore) await askFor(trx, jobs, actor, { ...release, state: 'planned' }, release.publish_at, planner)
    else await publishWithin(trx, actor, planner, release, null)
  })
}
