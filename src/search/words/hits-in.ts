import type { Piece } from '../answer/results.ts'
import { tokensOf } from './tokens.ts'

/** Whether a word answers each part of a question. */
export type Answers = ((term: string) => boolean)[]

type Hit = { from: number; to: number; part: number }

/** How much of a page is shown around the words. */
const CONTEXT = 180
const BEFORE = 60

/** Finds the words of a text that answer a part of the question. Where they stand over each other, the longest counts. */
export function hitsIn(text: string, answers: Answers): Hit[] {
  const hits: Hit[] = []
  for (const { term, from, to } of tokensOf(text)) {
    const part = answers.findIndex((isAnswer) => isAnswer(term))
    const last = hits.at(-1)
    if (part === -1 || (last && from < last.to && to <= last.to)) continue
    if (last && from < last.to) hits.pop()
    hits.push({ from, to, part })
  }
  return hits
}

/** How many parts of the question the hits answer. */
export const partsOf = (hits: Hit[]) => new Set(hits.map(({ part }) => part)).size

/** Cuts a text into pieces at its hits. */
export function piecesOf(text: string, hits: Pick<Hit, 'from' | 'to'>[]): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { from, to } of hits) {
    if (from > end) pieces.push({ text: text.slice(end, from), isHit: false })
    pieces.push({ text: text.slice(from, to), isHit: true })
    end = to
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false })
  return pieces
}

/** A place in a page, and how many parts of the question the page answers. */
export type Context = { pieces: Piece[]; parts: number }

/** Returns the place in a page that answers most, in one line, with an ellipsis where it is cut. */
export function contextOf(page: string, answers: Answers): Context {
  const text = page.replaceAll(/\s+/g, ' ').trim()
  const hits = hitsIn(text, answers)
  if (hits.length === 0) return { pieces: [], parts: 0 }
  const best = bestWindow(hits)
  const from = wordStart(text, Math.max(0, best - BEFORE))
  const to = wordEnd(text, Math.min(text.length, from + CONTEXT))
  const shown = hits.filter((hit) => hit.from >= from && hit.to <= to)
  const pieces = piecesOf(
    text.slice(from, to),
    shown.map((hit) => ({ from: hit.from - from, to: hit.to - from })),
  )
  if (from > 0) pieces.unshift({ text: '… ', isHit: false })
  if (to < text.length) pieces.push({ text: ' …', isHit: false })
  return { pieces, parts: partsOf(hits) }
}

/** Returns the start of the window with most different parts, and then most hits. */
function bestWindow(hits: Hit[]): number {
  let best = { at: hits[0]!.from, parts: 0, hits: 0 }
  for (const [index, { from }] of hits.entries()) {
    const inside = []
    for (let next = index; next < hits.length && hits[next]!.to <= from + CONTEXT - BEFORE; next++)
      inside.push(hits[next]!)
    const parts = partsOf(inside)
    if (parts > best.parts || (parts === best.parts && inside.length > best.hits))
      best = { at: from, parts, hits: inside.length }
  }
  return best.at
}

const wordStart = (text: string, at: number) => (at === 0 ? 0 : text.indexOf(' ', at) + 1 || at)

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.lastIndexOf(' ', at)
  return space > at - 30 ? space : at
}
