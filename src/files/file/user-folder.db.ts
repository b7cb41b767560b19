import { sql } from 'kysely'
import type { Trx } from '../../server/database/database.ts'

/** Returns each person's only folder, by person. Creates it for the first file. */
export async function openUserFolders(trx: Trx, userIds: number[]): Promise<Map<number, number>> {
  await sql`
    insert into folders (user_id, name, visible_to_investors, place)
    select id, 'Filer', true, 1 from users where id = any (${userIds}) order by id
    on conflict (user_id) where user_id is not null do nothing`.execute(trx)
  const { rows } = await sql<{ id: number; user_id: number }>`
    select id, user_id from folders where user_id = any (${userIds})`.execute(trx)
  return new Map(rows.map(({ id, user_id: userId }) => [userId, id]))
}
