import { sql } from 'kysely'
import { isOffice, rolesThat } from '../rights.ts'
import { isSeenByPerson } from './queried-reader.db.ts'
import { isFolderSeen } from './seen.db.ts'

/** The roles outside the office, for `role = any (…)`. */
export const OUTSIDE_ROLES = rolesThat((role) => !isOffice(role))

/**
 * Part of a query, after `from folders`: joins `users` with everybody outside the office who sees the folder, now. It begins
 * with the folder's members, because asking the rule about everybody would take a while in a large office.
 */
export const JOIN_OUTSIDE_READERS = sql`
  cross join lateral (
    select project_members.user_id as id from project_members where project_members.project_id = folders.project_id
    union all select folders.user_id where folders.user_id is not null
  ) as candidates
  join users on users.id = candidates.id and users.deactivated_at is null
    and users.role = any (${OUTSIDE_ROLES}) and ${isSeenByPerson(isFolderSeen)}`
