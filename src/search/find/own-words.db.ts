import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { lockOffice } from '../../office/office.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle, type Edit } from '../../server/edits.ts'
import { fold } from '../words/tokens.ts'
import { readOwnWords, writeOwnWords, type OwnGroups } from './own-words.ts'
import { keyOf } from './synonyms.ts'

/** Returns the office's own words that mean the same, as its page shows them. */
export async function findOwnWords(db: Database | Trx): Promise<string> {
  const { rows } = await sql<{ words: string[] }>`
    select array_agg(word order by place) as words from search_words group by line order by line`.execute(db)
  return writeOwnWords(rows.map(({ words }) => words))
}

const WORDS = { search_words: { label: 'Ord, der betyder det samme', say: sayInLine } }

/** 'a, b\nc, d' becomes 'a, b; c, d'. */
function sayInLine(text: string): string {
  return text.replaceAll('\n', '; ')
}

/** Saves and logs other words. If somebody else has changed them meanwhile, refuses with both texts. */
export const saveOwnWords = transactional(
  async (trx: Trx, actor: Actor, groups: OwnGroups, edit: Edit | null): Promise<void> => {
    await lockOffice(trx)
    const now = { search_words: await findOwnWords(trx) }
    const { search_words: text } = settle(edit, WORDS, { search_words: writeOwnWords(groups) }, now)
    if (text === now.search_words) return
    const rows = readOwnWords(text).groups.flatMap((words, line) =>
      words.map((word, place) => ({ line, place, word, term: fold(word), key: keyOf(fold(word)) })),
    )
    await trx.deleteFrom('search_words').execute()
    if (rows.length > 0) await trx.insertInto('search_words').values(rows).execute()
    await addLogEntry(trx, actor, 'search-words-changed')
  },
)
