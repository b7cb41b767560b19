import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'

/** How many selections of a person are kept. */
const MOST_KEPT = 20
const KEPT_HOURS = 24

/**
 * Stores the selected files of an archive for a day: an address is too short for many, and a download may be resumed
 * tomorrow.
 */
export const keepSelection = transactional(
  async (trx: Trx, userId: number, id: string, fileIds: number[]): Promise<void> => {
    await sql`
      insert into zip_selections (id, user_id, file_ids) values (${id}::uuid, ${userId}, ${fileIds}::bigint[])
      on conflict (user_id, id) do update set made_at = now()`.execute(trx)
    await sql`
      delete from zip_selections where user_id = ${userId} and id in (
        select id from zip_selections where user_id = ${userId} order by made_at desc, id offset ${MOST_KEPT}
      )`.execute(trx)
  },
)

/** Returns the ids of the files that the same person has kept. */
export async function findSelection(db: Database, userId: number, id: string): Promise<number[] | null> {
  const { rows } = await sql<{ ids: number[] }>`
    select to_json(file_ids) as ids from zip_selections where user_id = ${userId} and id = ${id}::uuid`.execute(
    db,
  )
  return rows[0]?.ids ?? null
}

export async function purgeZipSelections(db: Database): Promise<void> {
  await sql`delete from zip_selections where made_at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(
    db,
  )
}
