import { sql, type RawBuilder } from 'kysely'
import { ROLES } from '../rights.ts'
import type { QueriedReader } from './seen.db.ts'

const ID = sql<number>`users.id`

/** Turns a rule of seeing for one reader into a condition on each person in `users`, whatever their role. */
export function isSeenByPerson(isSeen: (reader: QueriedReader) => RawBuilder<boolean>): RawBuilder<boolean> {
  return forPerson(isSeen, sql<boolean>`false`)
}

/** Does the same for a column. */
export function forPerson<Value>(
  columnOf: (reader: QueriedReader) => RawBuilder<Value>,
  otherwise: RawBuilder<Value>,
): RawBuilder<Value> {
  const cases = ROLES.map((role) => sql`when ${sql.lit(role)} then ${columnOf({ id: ID, role })}`)
  return sql<Value>`case users.role ${sql.join(cases, sql` `)} else ${otherwise} end`
}
