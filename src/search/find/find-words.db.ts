import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { breather } from '../../server/process/breather.ts'
import { idOfNumber } from '../words/tokens.ts'
import { partOf, partsBegun } from '../words/compounds.ts'
import { coreOf, isOneLetterOff, likenessOf, type Asked, type Likeness } from './variants.ts'
import { keyOf, spelledOut } from './synonyms.ts'
import { findWords } from '../words/words.db.ts'

/** A word of the documents that answers a word of the question. */
export type Variant = { id: number; word: string; likeness: Likeness | 'typo' | 'synonym' }

/** Enough for every form and compound of a word; the rest of them are names that hold it by chance. */
const MOST_LIKE = 3000
const MOST_BEGUN = 150
/** How many letters longer a form or a begun word may be. */
const LONGEST_REST = 12
const MOST_CORRECTED = 20
const MOST_NEAR = 5000
/** Shorter words have no trigram of their own. */
const SHORTEST_PART = 3
const SHORTEST_MENDED = 5
/** `erne`, as in rapporterne. */
const LONGEST_ENDING = 4

/** `own` is another word that the office says means the same, which this one may be a form of. Without an id nothing is found. */
type Row = {
  n: number
  own: string | null
  asked_stem: string
} & ({ id: number; word: string; stem: string } | { id: null })

/** The words that answer a term, and the listed parts whose forms and compounds do. All have the core, apart from mended words. */
export type Variants = {
  core: string
  words: Variant[]
  parts: string[]
  /** The other words that the office says mean the same, with their forms; null if it says nothing of this one. */
  own: { core: string; words: Variant[] }[] | null
}

/** Returns, for each term, what answers it. The last one may be only begun. The office's own words are found from `ownFrom` on. */
export async function findVariants(
  db: Database,
  terms: string[],
  {
    isTyping = false,
    withCompounds = true,
    ownFrom = terms.length,
  }: { isTyping?: boolean; withCompounds?: boolean; ownFrom?: number } = {},
): Promise<Variants[]> {
  const isBegun = (n: number) => isTyping && n === terms.length - 1
  const variants = terms.map((word, n): Variants => {
    const id = idOfNumber(word)
    const parts = [partOf(word) ?? [], isBegun(n) ? partsBegun(word) : []].flat()
    return {
      core: parts.length > 0 ? coreOf(word) : word,
      words: id === null ? [] : [{ id, word, likeness: 'same' }],
      parts: [...new Set(parts)],
      own: null,
    }
  })
  const asked = terms.flatMap((word, n) => (idOfNumber(word) === null ? [{ n, word }] : []))
  const rows = await listLike(
    db,
    asked.map(({ n, word }) => {
      const core = /\d/.test(word) ? null : coreOf(word)
      const isInside = withCompounds && !isBegun(n) && variants[n]!.parts.length === 0
      return {
        n,
        word,
        start: isBegun(n) ? word : isInside ? null : core,
        inside: isInside ? core : null,
        key: core === null || n < ownFrom ? null : keyOf(spelledOut(word) ?? word),
      }
    }),
  )
  for (const group of Map.groupBy(rows, ({ n, own }) => `${n} ${own ?? ''}`).values()) {
    const { n, own, asked_stem: stem } = group[0]!
    const variant = variants[n]!
    const word = own ?? terms[n]!
    const found = await answering({ word, stem }, group, own === null && isBegun(n))
    if (own !== null) (variant.own ??= []).push({ core: coreOf(own), words: found })
    else {
      const words = variant.parts.length > 0 ? found.filter((each) => each.likeness !== 'compound') : found
      variant.words.push(...words)
      if (words.length > 0) variant.core = coreOf(word)
    }
  }
  return variants
}

/** Returns those of the listed words that answer a word. */
async function answering(asked: Asked, rows: Row[], isTyping: boolean): Promise<Variant[]> {
  const breathe = breather()
  const found: Variant[] = []
  for (const row of rows) {
    await breathe()
    const likeness = row.id === null ? null : likenessOf(asked, row, isTyping)
    if (row.id !== null && likeness) found.push({ id: row.id, word: row.word, likeness })
  }
  return found
}

type AskedWord = {
  n: number
  word: string
  /** Words are listed that begin so; null for none. */
  start: string | null
  /** Words are listed that have this somewhere. */
  inside: string | null
  /** The office's other words are listed for words with this key. */
  key: string | null
}

/**
 * Lists words that may answer, the asked words themselves, and the office's own words that mean the same. Those that are common
 * were seen first, so they come first.
 */
async function listLike(db: Database, asked: AskedWord[]): Promise<Row[]> {
  if (asked.length === 0) return []
  const inside = asked.map(({ inside: core }) => (core === null || core.length < SHORTEST_PART ? null : core))
  const { rows } = await sql<Row>`
    with typed as (
      select * from unnest(${asked.map(({ n }) => n)}::integer[], ${asked.map(({ word }) => word)}::text[],
        ${asked.map(({ start }) => start)}::text[], ${inside}::text[],
        ${asked.map(({ key }) => key)}::text[]) as typed (n, word, start, inside, key)
    ), asked as (
      select n, null as own, word, start, inside from typed
      union all
      select distinct typed.n, other.term, other.term, other.key, null
      from typed
      -- budget looks like a form of budg, but is the key of budgettet.
      join search_words as mine on mine.key = typed.key or mine.term = typed.key or (mine.key = typed.word and typed.key <> '')
      join search_words as other using (line)
      where other.term <> typed.word
    )
    select asked.n, asked.own, coalesce((ts_lexize('danish_stem', asked.word))[1], asked.word) as asked_stem,
      found.id, found.word, coalesce((ts_lexize('danish_stem', found.word))[1], found.word) as stem
    from asked left join lateral (
      select id, word from words where words.word = asked.word
      union (
        select id, word from words
        where words.word >= asked.start and words.word < asked.start || ${LAST_LETTER}
          and length(words.word) <= length(asked.word) + ${sql.lit(LONGEST_REST)}
        order by id limit ${sql.lit(MOST_BEGUN)})
      union (
        select id, word from words where words.word like '%' || asked.inside || '%'
        order by length(words.word) limit ${sql.lit(MOST_LIKE)})
    ) as found on true`.execute(db)
  return rows
}

/** Sorts after every letter. */
const LAST_LETTER = '\u{10ffff}'

/** Returns words of the documents that are one letter off, and all that answers those. */
export async function findCorrections(
  db: Database,
  term: string,
): Promise<Pick<Variants, 'words' | 'parts'>> {
  if (term.length < SHORTEST_MENDED || /\d/.test(term)) return { words: [], parts: [] }
  const whole = Math.max(2, Math.floor((term.length - 1) / 2))
  // One letter, or two that changed places, cannot spoil both ends of a word. Not `like any`: no index supports it.
  const { rows } = await sql<{ word: string; stem: string; asked_stem: string }>`
    select word, coalesce((ts_lexize('danish_stem', word))[1], word) as stem,
      coalesce((ts_lexize('danish_stem', ${term}))[1], ${term}) as asked_stem
    from words
    where (word like ${`${term.slice(0, whole)}%`} or word like ${`%${term.slice(-whole)}%`})
      and length(word) between ${term.length - 2} and ${term.length + LONGEST_ENDING}
    limit ${MOST_NEAR}`.execute(db)
  const corrected = rows
    .filter(({ word, stem, asked_stem }) => isOneLetterOff(term, word) || isOneLetterOff(asked_stem, stem))
    .map(({ word }) => word)
    .slice(0, MOST_CORRECTED)
  const all = await findVariants(db, corrected, { withCompounds: false })
  const found = new Map(all.flatMap(({ words }) => words.map((variant) => [variant.id, variant])))
  for (const { id, word } of await findWords(db, corrected)) found.set(id, { id, word, likeness: 'typo' })
  return { words: [...found.values()], parts: [...new Set(all.flatMap(({ parts }) => parts))] }
}
