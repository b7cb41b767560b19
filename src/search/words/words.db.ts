import { sql } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'
import { idOfNumber } from './tokens.ts'

/** Returns the ids of words, new ones included. Its own statement, so that nobody waits for a whole file's words. */
export async function idsOfWords(db: Database, terms: Iterable<string>): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const listed: string[] = []
  for (const term of terms) {
    const id = idOfNumber(term)
    if (id === null) listed.push(term)
    else ids.set(term, id)
  }
  for (const { id, word } of await findWords(db, listed)) ids.set(word, id)
  // In one order everywhere, or two transactions that add the same words could deadlock.
  const missing = listed.filter((word) => !ids.has(word)).sort()
  if (missing.length === 0) return ids
  await sql`
    insert into words (word) select unnest(${missing}::text[]) on conflict do nothing`.execute(db)
  for (const { id, word } of await findWords(db, missing)) ids.set(word, id)
  return ids
}

export async function findWords(
  db: Database | Trx,
  words: string[],
): Promise<{ id: number; word: string }[]> {
  if (words.length === 0) return []
  const { rows } = await sql<{ id: number; word: string }>`
    select id, word from words where word = any (${words}::text[])`.execute(db)
  return rows
}
