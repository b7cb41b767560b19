import { createHash } from 'node:crypto'
import type { Database, Trx } from '../../../server/database/database.ts'
import { breather, inTurns } from '../../../server/process/breather.ts'
import type { CheckedSheet } from '../read/checked-sheet.ts'
import { planSheet } from './plan-sheet.ts'
import type { Plan } from './plan.ts'
import { readPresent } from './present.db.ts'

/** Compares a sheet with the present data. The hash is equal if the import would do the same. */
export async function planNow(
  db: Database | Trx,
  sheet: CheckedSheet,
): Promise<{ plan: Plan; hash: string }> {
  const plan = await inTurns(planSheet(sheet, await readPresent(db, sheet)))
  return { plan, hash: await hashOf(plan) }
}

async function hashOf({ rows, changedProjects, changedPeople }: Plan): Promise<string> {
  const breathe = breather()
  const hash = createHash('sha256')
  const ids = [...changedProjects, ...changedPeople].map(({ id }) => id)
  for (const part of [...rows, ids]) {
    await breathe()
    hash.update(`${JSON.stringify(part)}\n`)
  }
  return hash.digest('hex')
}
