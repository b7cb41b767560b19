import { sql } from 'kysely'
import type { Trx } from '../server/database.ts'

/** A person's one folder, which is there from the first file on. */
export async function openUserFolder(trx: Trx, userId: number): Promise<number> {
  await sql`
    insert into folders (user_id, name, visible_to_investors, place) values (${userId}, 'Filer', true, 1)
    on conflict (user_id) where user_id is not null do nothing`.execute(trx)
  const { rows } = await sql<{ id: number }>`select id from folders where user_id = ${userId}`.execute(trx)
  return rows[0]!.id
}
