import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import type { Look } from '../beside/beside.server.ts'
import { partMark } from '../words/marks.ts'
import { idOfNumber, tokensOf } from '../words/tokens.ts'
import { findWords } from '../words/words.db.ts'
import {
  findCandidates,
  listMarksSeen,
  type Alternatives,
  type Candidate,
  type Filters,
  type Scope,
} from './candidates.db.ts'
import { answerOf, exactAnswerOf, type Part } from './parts.db.ts'
import { keepPhrases } from './phrases.db.ts'

export type FoundFiles = { files: Candidate[]; isMore: boolean }

/** Finds out where a reader's question is looked for. */
export async function openScope(
  db: Database,
  reader: Reader,
  filters: Filters,
  most: number,
): Promise<Scope> {
  const [marks, needed] = await Promise.all([listMarksSeen(db, reader), findNeeded(db, filters)])
  return { reader, filters, most, marks, needed }
}

/** A file's year and its folder's name are among its words. Null if nothing has them. */
async function findNeeded(db: Database, { year, folder }: Filters): Promise<number[] | null> {
  const terms = [...(year === null ? [] : [String(year)]), ...tokensOf(folder ?? '').map(({ term }) => term)]
  const listed = new Set(terms.filter((term) => idOfNumber(term) === null))
  const words = await findWords(db, [...listed])
  return words.length < listed.size ? null : words.map(({ id }) => id)
}

/** Finds files that answer all parts of a question, besides those that are not indexed yet. */
export async function findByWords(
  db: Database,
  scope: Scope,
  parts: Part[],
  look: Look,
  unindexed: Candidate[] = [],
): Promise<FoundFiles> {
  const { files, isMore } = await findIndexed(db, scope, parts, look)
  const known = new Set(unindexed.map(({ id }) => id))
  const all = [...unindexed, ...files.filter(({ id }) => !known.has(id))].slice(0, scope.most)
  const phrases = new Set(parts.flatMap(({ unit, pattern }) => (unit.kind === 'phrase' ? [pattern] : [])))
  return phrases.size === 0 ? { files: all, isMore } : keepPhrases(db, all, [...phrases], isMore, look)
}

/** Files that have the words themselves come before those of projects and people that are called so. */
async function findIndexed(
  db: Database,
  scope: Scope,
  parts: Part[],
  { signal }: Pick<Look, 'signal'>,
): Promise<FoundFiles> {
  const ask = (withPlaces: boolean) =>
    findCandidates(
      db,
      scope,
      parts.map((part): Alternatives => {
        const { words, compounds, places } = part
        return {
          ids: [...words.map(({ id }) => id), ...compounds.map(partMark), ...(withPlaces ? places : [])],
          isAnswer: answerOf(part),
          isExact: exactAnswerOf(part),
        }
      }),
      signal,
    )
  const first = await ask(false)
  if (first.isMore || parts.every(({ places }) => places.length === 0)) return first
  const all = await ask(true)
  const known = new Set(first.files.map(({ id }) => id))
  return {
    files: [...first.files, ...all.files.filter(({ id }) => !known.has(id))].slice(0, scope.most),
    isMore: all.isMore,
  }
}
