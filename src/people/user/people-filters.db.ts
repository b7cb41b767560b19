import { sql, type RawBuilder } from 'kysely'
import type { ListQuery } from '../../base/list-query.ts'
import { isMailWaiting } from '../../releases/mailings/mailings.db.ts'
import { isAdministrator, rolesThat } from '../../rights.ts'
import type { PeopleFilter } from './people-list.ts'

/** Conditions on `users`. */
export const PASSES: Record<PeopleFilter, RawBuilder<boolean>> = {
  never: sql`(users.deactivated_at is null and not has_way_in(users))`,
  bounced: sql`(users.deactivated_at is null
    and users.id in (select user_id from failed_mails where is_final and user_id is not null))`,
  'one-step': sql`(users.deactivated_at is null and has_way_in(users) and not users.has_factor)`,
  deactivated: sql`(users.deactivated_at is not null)`,
}

/** Condition on `users`: they pass the list's filter. */
export const passesFilter = ({ filter }: ListQuery): RawBuilder<boolean> =>
  filter === undefined ? sql`true` : PASSES[filter as PeopleFilter]

/** Condition on `users`: they have the role that the list is of. */
export const isOfKind = ({ kind }: ListQuery): RawBuilder<boolean> =>
  kind === undefined ? sql`true` : sql`users.role = ${kind}`

/** Condition on `users`: `whyNotInvite` as SQL, apart from a mail that waits. */
export const CAN_BE_INVITED = sql<boolean>`(users.deactivated_at is null and not has_way_in(users)
  and users.role <> all (${rolesThat(isAdministrator)}))`

/** Condition on `users`: an invitation to them waits to be sent. */
export const IS_INVITATION_WAITING = isMailWaiting(['invitations', 'invited-people'])
