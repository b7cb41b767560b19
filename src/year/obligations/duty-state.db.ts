import { sql, type RawBuilder } from 'kysely'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { rolesThat, isOffice } from '../../rights.ts'
import type { DutyState } from './duty-state.ts'

// What is late, missing, coming, or done. Every page, mail, calendar and count asks here. On `duties` and `projects`.

const IS_FOLLOWED = isFollowed(sql`duties.due_on`)

/** Condition: somebody has still to do it. Not what is done, excused, there as a draft, or not followed. Has an index. */
export const IS_OPEN = sql<boolean>`(duties.done_at is null and duties.excuse is null and not duties.is_drafted and ${IS_FOLLOWED})`

/** Conditions on something open. */
export const isLate = (today: string) => sql<boolean>`(duties.due_on < ${today}::date)`
/** Its period has ended, and it is not late. */
export const isMissing = (today: string) =>
  sql<boolean>`(duties.ends_on < ${today}::date and not ${isLate(today)})`

/** Column: the state of a duty on a day. */
export const dutyState = (today: string): RawBuilder<DutyState> => sql<DutyState>`case
  when duties.done_at is not null then 'done' when duties.is_drafted then 'draft' when duties.excuse is not null then 'excused'
  when not ${IS_FOLLOWED} then 'unfollowed' when ${isLate(today)} then 'late' when ${isMissing(today)} then 'missing'
  else 'coming' end`

/** Condition on `users`: one of the office's people who can come in. */
export const IS_COLLEAGUE = sql<boolean>`(users.deactivated_at is null and users.role = any (${rolesThat(isOffice)}))`

/** Condition: nobody who is there is responsible. */
export const IS_NOBODYS = sql<boolean>`not exists (
  select from users where users.id = duties.responsible_id and ${IS_COLLEAGUE})`
