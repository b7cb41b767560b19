import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { answersOf, type AnswerWords } from '../words/answers.ts'
import { findPlaces } from './candidates.db.ts'
import { findVariants, type Variant, type Variants } from './find-words.db.ts'
import { patternOf, patternOfPhrase } from '../words/pattern.ts'
import type { Unit } from './question.ts'
import { synonymsOf } from './synonyms.ts'

/** One part of the question, with the words that match it. */
export type Part = {
  unit: Unit
  words: Variant[]
  /** Listed parts of words whose forms and compounds answer it. */
  compounds: string[]
  /** Marks of the projects and people that are called so. */
  places: number[]
  /** Finds the pages that have it. */
  pattern: string
  /** The office has named the word, so it is no typing error. */
  isNamed: boolean
}

/** Finds what answers each part of a question. The last word may be only begun. */
export async function findParts(
  db: Database,
  reader: Reader,
  units: Unit[],
  isBegun: boolean,
): Promise<Part[]> {
  const terms = units.flatMap((unit) => (unit.kind === 'phrase' ? unit.terms : [unit.term]))
  const synonyms = units.map((unit) => (unit.kind === 'word' ? synonymsOf(unit.term) : []))
  // Before the others, since the last word may be only begun.
  const others = synonyms.flat()
  const [found, places] = await Promise.all([
    findVariants(db, [...others, ...terms], {
      isTyping: isBegun && units.at(-1)?.kind !== 'phrase',
      ownFrom: others.length,
    }),
    findPlaces(
      db,
      reader,
      units.map((unit) => (unit.kind === 'phrase' ? '' : unit.text)),
    ),
  ])
  const [theirs, variants] = [found.slice(0, others.length), found.slice(others.length)]
  let [next, nextOther] = [0, 0]
  return units.flatMap((unit, index): Part[] => {
    if (unit.kind !== 'phrase') {
      const { core, words, parts: compounds, own } = variants[next++]!
      const same = [...synonyms[index]!.map(() => theirs[nextOther++]!), ...(own ?? [])]
      const [pattern, isNamed] = [patternOf(core), own !== null]
      return [withSynonyms({ unit, words, compounds, places: places[index]!, pattern, isNamed }, same)]
    }
    const pattern = patternOfPhrase(unit.terms)
    return unit.terms.map(() => {
      const words = variants[next++]!.words.filter(({ likeness }) => likeness === 'same')
      return { unit, words, compounds: [], places: [], pattern, isNamed: false }
    })
  })
}

/** Adds the forms of words that mean the same. Their compounds may mean anything: `regnskabsår` is in every paper. */
function withSynonyms(part: Part, synonyms: Pick<Variants, 'core' | 'words'>[]): Part {
  const known = new Set(part.words.map(({ id }) => id))
  const others = synonyms.flatMap(({ words }) =>
    words.filter(({ id, likeness }) => !known.has(id) && (likeness === 'same' || likeness === 'form')),
  )
  if (others.length === 0) return part
  const patterns = [part.pattern, ...synonyms.map(({ core }) => patternOf(core))]
  return {
    ...part,
    words: [...part.words, ...others.map((word): Variant => ({ ...word, likeness: 'synonym' }))],
    pattern: [...new Set(patterns)].join('|'),
  }
}

/** Returns the words that answer a part of the question. */
export function answerWordsOf({ unit, words, compounds }: Part): AnswerWords {
  return {
    words: [...words.map(({ word }) => word), ...(unit.kind === 'phrase' ? [] : [unit.term])],
    compounds,
  }
}

/** Returns whether a word answers a part of the question. */
export const answerOf = (part: Part) => answersOf(answerWordsOf(part))

/** Returns whether a word matches exactly as written, or in another form. */
export function exactAnswerOf({ words }: Part): (term: string) => boolean {
  const exact = new Set(
    words.flatMap(({ word, likeness }) =>
      ['compound', 'beginning', 'synonym'].includes(likeness) ? [] : [word],
    ),
  )
  return (term) => exact.has(term)
}
