import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isPersonSeen } from '../../access/seen.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { isFound } from '../../server/database/search.db.ts'
import { checkListed, notFound } from '../../server/http/errors.ts'
import { IS_INVITATION_WAITING, isOfKind, passesFilter } from '../user/people-filters.db.ts'
import type { Chosen } from './chosen.server.ts'
import type { Candidate } from './why-not.ts'

/** Finds the people chosen for an act, all in one statement. Refuses a list that has changed since it was shown. */
export async function findChosen(
  db: Database | Trx,
  reader: Reader,
  chosen: Chosen,
  project: number | null = null,
): Promise<(Candidate & { id: number })[]> {
  const isChosen =
    'ids' in chosen
      ? sql`users.id = any (${chosen.ids})`
      : sql`${isFound(sql<string>`users.search`, chosen.list.q)}
          and ${isOfKind(chosen.list)} and ${passesFilter(chosen.list)}`
  const { rows } = await sql<Candidate & { id: number }>`
    select id, role, deactivated_at is not null as "isDeactivated", has_way_in(users) as "hasWayIn",
      ${IS_INVITATION_WAITING} as "isAsked",
      exists (select from project_members where user_id = users.id and project_id = ${project}) as "isMember"
    from users where ${isPersonSeen(reader)} and ${isChosen} order by id`.execute(db)
  if ('ids' in chosen) {
    if (rows.length < chosen.ids.length)
      throw notFound('En af personerne findes ikke længere. Genindlæs siden.')
    return rows
  }
  checkListed(chosen.count, rows.length)
  return rows.filter(({ id }) => !chosen.except.includes(id))
}
