import { sql, type RawBuilder } from 'kysely'
import { isLentTo, isOffice, rolesThat } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { IS_LENT_NOW, lendingsTo } from './lent.db.ts'
import { isSeenByPerson } from './queried-reader.db.ts'
import { isFolderLent, isFolderSeen, type QueriedReader } from './seen.db.ts'

/** The roles outside the office, for `role = any (…)`. */
export const OUTSIDE_ROLES = rolesThat((role) => !isOffice(role))

/**
 * Part of a query, after `from folders`: joins `users` with everybody outside the office who sees the folder, now. It begins
 * with the folder's members and whom they lend to, because asking the rule about everybody would take a while in a large office.
 */
export const JOIN_OUTSIDE_READERS = sql`
  cross join lateral (
    select project_members.user_id as id, false as is_lent
    from project_members where project_members.project_id = folders.project_id
    union all select folders.user_id, false where folders.user_id is not null
    union all (
      select lendings.adviser_id, true from project_members join lendings on lendings.lender_id = project_members.user_id
      where project_members.project_id = folders.project_id and ${IS_LENT_NOW}
      union select lendings.adviser_id, true from lendings
      where lendings.lender_id = folders.user_id and ${IS_LENT_NOW}
    )
  ) as candidates
  join users on users.id = candidates.id and users.deactivated_at is null
    and users.role = any (${OUTSIDE_ROLES}) and candidates.is_lent = (users.role = any (${rolesThat(isLentTo)}))
    and ${isSeenByPerson(isFolderSeen)}`

/**
 * Condition on `folders`: somebody outside the office sees its files, or may see them later: a person's folder, a
 * shared one, or one that an auditor sees.
 */
export const IS_OPEN = sql<boolean>`(folders.user_id is not null or folders.visible_to_investors
  or exists (select from (select folders.*) as folders ${JOIN_OUTSIDE_READERS}))`

/**
 * Condition on `folders` that a person outside the office sees: they get mails about its files. For an adviser, the
 * lender decides.
 */
export function getsMailsAbout(person: QueriedReader): RawBuilder<boolean> {
  return isLentTo(person.role) ? isFolderLent(person, sql<boolean>`lendings.gets_mails`) : sql<boolean>`true`
}

/** The same for each person in `users`. */
export const GETS_MAILS_ABOUT = isSeenByPerson(getsMailsAbout)

/** Column of `users`: the names of those whom a person has lent their own files to. They may have none yet. */
export const READERS_OF_OWN = sql<string[]>`array(
  select advisers.name from users as advisers
  where advisers.id in (select given.adviser_id from lendings as given where given.lender_id = users.id)
    and advisers.deactivated_at is null and advisers.role = any (${rolesThat(isLentTo)})
    and exists (
      select from ${lendingsTo({ id: sql<number>`advisers.id` })}
      where lender.id = users.id and (lendings.is_everything or lendings.with_own_files))
  order by advisers.name collate danish, advisers.id)`

/** The same by the people's ids. */
export async function listReadersOfOwn(
  db: Database | Trx,
  people: readonly number[],
): Promise<Map<number, string[]>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<{ id: number; readers: string[] }>`
    select id, ${READERS_OF_OWN} as readers from users where id = any (${people})`.execute(db)
  return new Map(rows.map(({ id, readers }) => [id, readers]))
}
