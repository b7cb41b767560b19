import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Look } from '../beside/beside.server.ts'
import type { Candidate, Scope } from './candidates.db.ts'
import { findByWords, type FoundFiles } from './find-by-words.db.ts'
import { findCorrections } from './find-words.db.ts'
import type { Part } from './parts.db.ts'
import { patternOf } from '../words/pattern.ts'
import { isOfTrade } from './synonyms.ts'
import { findUnindexed } from './unindexed.db.ts'

const MOST_PATTERNS = 60

/**
 * For a question that finds nothing: replaces the words that find nothing by those that are one letter off. Which words those
 * are is decided by what the reader sees, or it would tell of words in papers that they do not see.
 */
export async function findMended(
  db: Database,
  scope: Scope,
  parts: Part[],
  look: Look,
): Promise<(FoundFiles & { parts: Part[]; corrected: string }) | null> {
  if (parts.some(({ unit }) => unit.kind === 'phrase')) return null
  const mended = await Promise.all(
    parts.map(async (part) => {
      if (part.places.length > 0 || part.unit.kind !== 'word') return part
      if (part.isNamed || isOfTrade(part.unit.term)) return part
      const unindexed = await findUnindexed(db, scope.reader, [part.unit], scope.filters)
      const { files } = await findByWords(db, scope, [part], look, unindexed)
      return files.length > 0 ? part : mend(db, part, part.unit.term)
    }),
  )
  if (mended.every((part, index) => part === parts[index])) return null
  const { files, isMore } = await findByWords(db, scope, mended, look)
  if (files.length === 0) return null
  return { files, isMore, parts: mended, corrected: await correctedText(db, files, parts, mended) }
}

async function mend(db: Database, part: Part, term: string): Promise<Part> {
  const { words, parts: compounds } = await findCorrections(db, term)
  const patterns = [...words.slice(0, MOST_PATTERNS).map(({ word }) => word), ...compounds].map(patternOf)
  return { ...part, words, compounds, pattern: patterns.join('|') || part.pattern }
}

/** Writes the question with the mended words that the found files have. */
async function correctedText(
  db: Database,
  files: Candidate[],
  before: Part[],
  mended: Part[],
): Promise<string> {
  const ids = mended.flatMap(({ words }) =>
    words.filter(({ likeness }) => likeness === 'typo').map(({ id }) => id),
  )
  const { rows } = await sql<{ id: number }>`
    select distinct wanted.id from unnest(${ids}::integer[]) as wanted (id)
    join file_words on file_words.words && array[wanted.id]
    where file_words.file_id = any (${files.slice(0, 200).map(({ id }) => id)}::bigint[])`.execute(db)
  const seen = new Set(rows.map(({ id }) => id))
  return mended
    .map(({ unit, words, compounds }, index) => {
      if (mended[index] === before[index]) return unit.text
      return words.find(({ id }) => seen.has(id))?.word ?? compounds[0] ?? unit.text
    })
    .join(' ')
}
