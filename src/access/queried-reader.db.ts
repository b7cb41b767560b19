import { sql, type RawBuilder } from 'kysely'
import { ROLES } from '../rights.ts'
import type { QueriedReader } from './seen.db.ts'

const ID = sql<number>`users.id`

/** Condition on `users` and more: makes of a rule of seeing one for the person in the query, whatever their role. */
export function isSeenByPerson(isSeen: (reader: QueriedReader) => RawBuilder<boolean>): RawBuilder<boolean> {
  const cases = ROLES.map((role) => sql`when ${sql.lit(role)} then ${isSeen({ id: ID, role })}`)
  return sql<boolean>`case users.role ${sql.join(cases, sql` `)} else false end`
}
