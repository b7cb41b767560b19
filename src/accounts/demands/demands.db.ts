import { sql } from 'kysely'
import type { Edit } from '../../server/edits.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import { lockPeople } from '../users/lock-people.db.ts'
import { demandedOf, type FactorDemand } from './demand.ts'

export async function listDemands(db: Database | Trx): Promise<FactorDemand[]> {
  const rows = await db
    .selectFrom('factor_demands')
    .select([sql<Role>`role`.as('role'), 'starts_at'])
    .execute()
  return rows.map(({ role, starts_at: starts }) => ({ role, starts_at: starts.toISOString() }))
}

/**
 * Demands a second factor of exactly these roles. A role that the form did not change stays as somebody else has set
 * it. Roles that needed one before keep their day. Logs nothing if nothing changes.
 */
export const setDemands = transactional(
  async (trx: Trx, actor: Actor, wanted: Role[], days: number, edit: Edit | null): Promise<void> => {
    await lockPeople(trx, actor)
    const before = (await listDemands(trx)).map(({ role }) => role)
    const settled = settle(edit, ROLE_NAMES, demandedOf(wanted), demandedOf(before))
    const roles = ROLES.filter((role) => settled[role])
    const added = roles.filter((role) => !before.includes(role))
    const gone = before.filter((role) => !roles.includes(role))
    if (added.length + gone.length === 0) return
    if (gone.length > 0) await trx.deleteFrom('factor_demands').where('role', 'in', gone).execute()
    if (added.length > 0)
      await trx
        .insertInto('factor_demands')
        .values(added.map((role) => ({ role, starts_at: sql<Date>`now() + make_interval(days => ${days})` })))
        .execute()
    const all = ROLES.filter((role) => roles.includes(role))
    await addLogEntry(trx, actor, 'factor-demands-changed', { detail: all.join() })
  },
)
