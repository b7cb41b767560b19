import { hasPart } from './compounds.ts'

/** The words that answer a part of a question, and the listed parts whose forms and compounds do. */
export type AnswerWords = { words: string[]; compounds: string[] }

/** Returns whether a word answers a part of the question. */
export function answersOf({ words, compounds }: AnswerWords): (term: string) => boolean {
  const known = new Set(words)
  return (term) => known.has(term) || compounds.some((part) => hasPart(term, part))
}
