import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isPersonSeen } from '../../access/seen.db.ts'
import { COLUMN_FIELDS, USER_FIELDS } from '../../accounts/users/user.fields.ts'
import { imageAddress } from '../../accounts/users/image-address.ts'
import { LINK_HOURS } from '../../accounts/links/link-tokens.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Database } from '../../server/database/database.ts'
import { columnValues, orderOf } from '../../server/database/fields.db.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { notFound } from '../../server/http/errors.ts'
import { isOfKind, passesFilter } from './people-filters.db.ts'
import type { Access, UserDetails } from './user-details.ts'
import type { UserColumn, UserRow } from './user-row.ts'

/** Lists the people whom the reader sees, 25 per page, by default in order of name. */
export async function listUsers(db: Database, reader: Reader, query: ListQuery): Promise<Page<UserRow>> {
  return readPage(db, query, {
    id: sql<number>`users.id`,
    found: sql`from users where ${isPersonSeen(reader)} and ${isFound(sql<string>`users.search`, query.q)}
      and ${isOfKind(query)} and ${passesFilter(query)}`,
    ...(query.q === '' &&
      !query.filter &&
      !query.kind && { total: sql<number>`(select count from counts where name = 'users')` }),
    order: sortedBy(query),
    read: async (ids) => {
      const { rows } = await sql<Row>`select ${FIELDS} from users where id = any (${ids})`.execute(db)
      return rows.map(toUserRow)
    },
  })
}

type Row = Omit<UserRow, 'image'> & { image_key: string | null }

const FIELDS = sql`id, ${columnValues(COLUMN_FIELDS, 'users')}, image_key, deactivated_at is not null as deactivated,
  not has_way_in(users) as pending,
  array(select number from user_numbers where user_id = users.id order by number collate danish) as numbers`

const toUserRow = ({ image_key: key, ...row }: Row): UserRow => ({ ...row, image: imageAddress(row.id, key) })

export async function getUser(db: Database, reader: Reader, id: number): Promise<UserDetails> {
  const { rows } = await sql<
    Row & {
      has_way_in: boolean
      invited_at: Date | null
      is_final: boolean | null
      last_sign_in: Date | null
      has_factor: boolean
    }
  >`
    select ${FIELDS}, has_factor, has_way_in(users),
      (select bool_or(is_final) from failed_mails where user_id = users.id) as is_final,
      -- Deactivating a person ends their links.
      (select max(at) from log where subject_user_id = users.id and act = 'user-invited'
        and at > coalesce((select max(at) from log where subject_user_id = users.id and act = 'user-deactivated'),
          '-infinity')) as invited_at,
      (select max(at) from log where user_id = users.id
        and act in ('sign-in', 'password-reset', 'invitation-accepted', 'setup')) as last_sign_in
    from users where id = ${id} and ${isPersonSeen(reader)}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Personen findes ikke.')
  const {
    has_way_in: hasWayIn,
    invited_at: invitedAt,
    is_final: isFinal,
    last_sign_in: lastSignIn,
    has_factor: hasFactor,
    ...user
  } = row
  const mailFault = isFinal === null ? null : isFinal ? 'final' : 'trying'
  return {
    ...toUserRow(user),
    access: accessOf(hasWayIn, invitedAt),
    mailFault,
    last_sign_in: lastSignIn?.toISOString() ?? null,
    has_factor: hasFactor,
  }
}

function accessOf(hasWayIn: boolean, invitedAt: Date | null): Access {
  if (hasWayIn) return { state: 'accepted' }
  if (!invitedAt) return { state: 'not-invited' }
  const isExpired = Date.now() > invitedAt.getTime() + LINK_HOURS.invitation * 3_600_000
  return { state: 'invited', at: invitedAt.toISOString(), isExpired }
}

/** Orders that are not simply by a column. Each has an index, or every page would sort all people. */
const ORDERS: Partial<Record<UserColumn, Record<'asc' | 'desc', RawBuilder<unknown>>>> = {
  email: { asc: sql`email collate danish, id`, desc: sql`email collate danish desc, id desc` },
  role: { asc: sql`role_order(role), name, id`, desc: sql`role_order(role) desc, name, id` },
  numbers: { asc: sql`first_number nulls last, name, id`, desc: sql`first_number desc nulls last, name, id` },
}

function sortedBy({ sort }: ListQuery): RawBuilder<unknown> {
  const column = (sort?.column ?? 'name') as UserColumn
  const { direction = 'asc' } = sort ?? {}
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return (
    ORDERS[column]?.[direction] ??
    sql`${orderOf(USER_FIELDS[column], sql.ref(`users.${column}`))} ${way}, id ${way}`
  )
}
