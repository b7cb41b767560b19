import { sql, type RawBuilder } from 'kysely'
import { IS_IN_SCOPE, lendingsTo } from '../../access/lent.db.ts'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { forPerson, isSeenByPerson } from '../../access/queried-reader.db.ts'
import { contentsSeen, isFolderSeen, LENDER, type QueriedReader } from '../../access/seen.db.ts'
import { isLentTo, isOffice, ROLE_NAMES, rolesThat } from '../../rights.ts'
import { inWords } from '../../server/database/fields.db.ts'

/** Column of `folders`: the names of those through whom an adviser sees it. */
function lendersOf(reader: QueriedReader): RawBuilder<string | null> {
  if (!isLentTo(reader.role)) return sql<null>`null::text`
  return sql<string | null>`(
    select string_agg(lender.name, ', ' order by lender.name, lender.id)
    from ${lendingsTo(reader)} where ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE})`
}

const FILES_SEEN = forPerson<number>((reader) => contentsSeen(reader).filesCount, sql<number>`0`)
const LENDERS = forPerson<string | null>(lendersOf, sql<null>`null::text`)

const COLUMNS = sql`
  users.id as "Person-id", users.name as "Person", users.email as "E-mail", ${inWords(sql`users.role`, ROLE_NAMES)} as "Rolle",
  folders.project_id as "Projekt-id", folders.user_id as "Ejer-id", folders.id as "Mappe-id", folders.name as "Mappe",
  ${FILES_SEEN} as "Filer", ${LENDERS} as "På vegne af"`

/** Every active person with each folder that they see, by the one rule of seeing. */
export const SEEN_FOLDERS = sql`
  select seen."Person-id", seen."Person", seen."E-mail", seen."Rolle", seen."Projekt-id", projects.number as "Projektnummer",
    projects.name as "Projekt", seen."Ejer-id", owners.name as "Ejer", seen."Mappe-id", seen."Mappe", seen."Filer", seen."På vegne af"
  from (
    select ${COLUMNS} from folders ${JOIN_OUTSIDE_READERS}
    union all
    select ${COLUMNS} from users cross join folders
    where users.role = any (${rolesThat(isOffice)}) and users.deactivated_at is null
      and (folders.project_id is not null or folders.user_id is not null) and ${isSeenByPerson(isFolderSeen)}
  ) as seen
  left join projects on projects.id = seen."Projekt-id" left join users as owners on owners.id = seen."Ejer-id"
  order by seen."Person", seen."Person-id", projects.number nulls last, projects.id, owners.name, seen."Ejer-id", seen."Mappe-id"`
