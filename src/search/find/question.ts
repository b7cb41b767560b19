import { cleanLine } from '../../base/text.ts'
import { tokensOf, type Token } from '../words/tokens.ts'

/** A part of a question. A file must have all parts. */
export type Unit =
  | { kind: 'word'; term: string; text: string }
  /** `parts`: its groups of digits, which may be separate numbers. */
  | { kind: 'number'; term: string; text: string; parts: string[] }
  /** Words that stand together. */
  | { kind: 'phrase'; terms: string[]; text: string }

export const LONGEST_QUESTION = 200
const MOST_UNITS = 12

/** Words that nearly every page has. They count only if nothing else is asked for. */
const COMMON = new Set('og i at en et den det de til af paa for med der som er k s a b c'.split(' '))

/** Reads a question: words, numbers, and phrases in quotes. A quote that is not closed ends with the question. */
export function parseQuestion(q: string): Unit[] {
  const units: Unit[] = []
  for (const [index, text] of cleanLine(q)
    .slice(0, LONGEST_QUESTION)
    .split(/["“”„»«]/)
    .entries())
    if (index % 2 === 1) units.push(...phraseOf(text))
    else units.push(...groupsOf(tokensOf(text)).map((tokens) => unitOf(text, tokens)))
  const weighty = units.filter((unit) => unit.kind !== 'word' || !COMMON.has(unit.term))
  return (weighty.length > 0 ? weighty : units).slice(0, MOST_UNITS)
}

function phraseOf(text: string): Unit[] {
  const terms = groupsOf(tokensOf(text)).map((tokens) => widest(tokens).term)
  if (terms.length === 0) return []
  if (terms.length > 1) return [{ kind: 'phrase', terms, text: text.trim() }]
  return groupsOf(tokensOf(text)).map((tokens) => unitOf(text, tokens))
}

/** Tokens of one number stand over each other. */
function groupsOf(tokens: Token[]): Token[][] {
  const groups: Token[][] = []
  let end = -1
  for (const token of tokens) {
    if (token.from < end) groups.at(-1)!.push(token)
    else groups.push([token])
    end = Math.max(end, token.to)
  }
  return groups
}

const widest = (tokens: Token[]) =>
  tokens.reduce((best, token) => (token.to - token.from > best.to - best.from ? token : best))

function unitOf(whole: string, tokens: Token[]): Unit {
  const { term, from, to } = widest(tokens)
  const text = whole.slice(from, to)
  if (!/^\d/.test(term) || !/^[\d,]+$/.test(term)) return { kind: 'word', term, text }
  return {
    kind: 'number',
    term,
    text,
    parts: /[ \u00a0\u202f]/.test(text) ? text.split(/[ \u00a0\u202f]/) : [],
  }
}
