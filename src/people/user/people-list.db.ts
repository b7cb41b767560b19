import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isPersonSeen } from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Database } from '../../server/database/database.ts'
import { isFound } from '../../server/database/search.db.ts'
import { CAN_BE_INVITED, IS_INVITATION_WAITING, isOfKind, PASSES, passesFilter } from './people-filters.db.ts'
import type { PeopleFilter, PeopleList } from './people-list.ts'
import { listUsers } from './users.db.ts'

const COUNTS = sql.join(
  Object.entries(PASSES).map(([name, passes]) => sql`count(*) filter (where ${passes}) as ${sql.ref(name)}`),
)

/** Lists people as the office looks at them: with what their filters would show. */
export async function listPeople(db: Database, reader: Reader, query: ListQuery): Promise<PeopleList> {
  const page = await listUsers(db, reader, query)
  const { rows } = await sql<Record<PeopleFilter, number> & { invitable: number }>`
    select ${COUNTS}, count(*) filter (
      where ${passesFilter(query)} and ${CAN_BE_INVITED} and not ${IS_INVITATION_WAITING}) as invitable
    from users
    where ${isPersonSeen(reader)} and ${isFound(sql<string>`users.search`, query.q)} and ${isOfKind(query)}`.execute(
    db,
  )
  const { invitable, ...counts } = rows[0]!
  return { ...page, counts, invitable }
}
