import { sql } from 'kysely'

/**
 * Condition on `users`: has a way in, or the office has invited them. Whoever was added without an invitation gets no mail
 * until there is one. Deactivating a person ends their invitation.
 */
export const IS_INVITED = sql<boolean>`(has_way_in(users) or exists (
  select from log as invited where invited.subject_user_id = users.id and invited.act = 'user-invited'
    and not exists (
      select from log as ended where ended.subject_user_id = users.id and ended.act = 'user-deactivated'
        and ended.id > invited.id)))`
