import { sql, type RawBuilder } from 'kysely'
import { imageAddress } from '../accounts/image-address.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import type { Database } from '../server/database.ts'
import { readPage } from '../server/list.db.ts'
import { isFound } from '../server/search.db.ts'
import type { UserColumn, UserRow } from './user-row.ts'

/** Everybody, 25 a page, by name unless asked otherwise; for those who may see them. */
export async function listUsers(db: Database, query: ListQuery): Promise<Page<UserRow>> {
  return readPage(db, query, {
    id: sql<number>`users.id`,
    found: sql`from users where ${isFound(sql<string>`users.search`, query.q)}`,
    ...(query.q === '' && { total: sql<number>`(select count from counts where name = 'users')` }),
    order: orderOf(query),
    read: async (ids) => {
      const { rows } = await sql<Omit<UserRow, 'image'> & { image_key: string | null }>`
        select id, name, email, role, image_key, deactivated_at is not null as deactivated,
          array(select number from user_numbers where user_id = users.id order by number collate danish) as numbers
        from users where id = any (${ids})`.execute(db)
      return rows.map(({ image_key: key, ...row }) => ({ ...row, image: imageAddress(row.id, key) }))
    },
  })
}

// Each as its index has it (db/0005_projects.sql): otherwise all people are sorted for every page.
const ORDERS: Record<UserColumn, Record<'asc' | 'desc', RawBuilder<unknown>>> = {
  name: { asc: sql`name, id`, desc: sql`name desc, id desc` },
  email: { asc: sql`email collate danish, id`, desc: sql`email collate danish desc, id desc` },
  role: { asc: sql`role_order(role), name, id`, desc: sql`role_order(role) desc, name, id` },
  numbers: { asc: sql`first_number nulls last, name, id`, desc: sql`first_number desc nulls last, name, id` },
}

function orderOf({ sort }: ListQuery): RawBuilder<unknown> {
  return sort ? ORDERS[sort.column as UserColumn][sort.direction] : ORDERS.name.asc
}
