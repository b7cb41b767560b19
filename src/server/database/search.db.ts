import { sql, type RawBuilder } from 'kysely'
import { wordsOf } from '../../base/list-query.ts'

/**
 * Matches rows in which every word of a search occurs in a column that `search_key` filled: also inside words,
 * ignoring case and accents, by Danish rules.
 */
export function isFound(column: RawBuilder<string>, q: string): RawBuilder<boolean> {
  const words = wordsOf(q)
  if (words.length === 0) return sql<boolean>`true`
  return sql<boolean>`(${sql.join(
    words.map((word) => contains(column, word)),
    sql` and `,
  )})`
}

// Not `like any (…)`: no trigram index supports it.
function contains(column: RawBuilder<string>, word: string): RawBuilder<boolean> {
  const literal = sql<string>`folded(${escaped(word)})`
  const asWritten = sql<boolean>`${column} like '%' || ${literal} || '%'`
  if (!hasDoubleA(word)) return asWritten
  return sql<boolean>`(${asWritten} or ${column} like '%' || replace(${literal}, 'aa', 'å') || '%')`
}

/** Whether the word can also be written with an å. */
function hasDoubleA(word: string): boolean {
  return /aa/i.test(word.normalize('NFD').replaceAll(/[\u0300-\u0309\u030b-\u036f]/g, ''))
}

function escaped(word: string): string {
  return word.replaceAll(/[\\%_]/g, '\\$&')
}
