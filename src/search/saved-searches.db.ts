import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { invalid, notFound } from '../server/http/errors.ts'
import { MOST_SAVED, type SavedSearch } from './answer/saved-search.ts'

/** Lists what a person has saved, by name. */
export async function listSavedSearches(db: Database, userId: number): Promise<SavedSearch[]> {
  return db
    .selectFrom('saved_searches')
    .select(['id', 'name', 'query'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .limit(MOST_SAVED)
    .execute()
}

/** Saves a search. One that is there already gets the new name. */
export const saveSearch = transactional(
  async (trx: Trx, userId: number, { name, query }: Omit<SavedSearch, 'id'>): Promise<void> => {
    // Locks the person, since two saves at once could both take the last place.
    await sql`select from users where id = ${userId} for no key update`.execute(trx)
    const saved = await listSavedSearches(trx, userId)
    if (saved.length >= MOST_SAVED && !saved.some((each) => each.query === query))
      throw invalid({ name: [`Du har allerede gemt ${MOST_SAVED} søgninger. Slet en af dem først.`] })
    await trx
      .insertInto('saved_searches')
      .values({ user_id: userId, name, query })
      .onConflict((conflict) => conflict.columns(['user_id', 'query']).doUpdateSet({ name }))
      .execute()
  },
)

/** Removes a search that the person has saved. Throws not-found for another's. */
export async function removeSavedSearch(db: Database, userId: number, id: number): Promise<void> {
  const { numDeletedRows: removed } = await db
    .deleteFrom('saved_searches')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (removed === 0n) throw notFound('Søgningen findes ikke længere.')
}
