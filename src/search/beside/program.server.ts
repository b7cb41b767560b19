import { parentPort } from 'node:worker_threads'
import { inflateRawSync } from 'node:zlib'
import { regExpOf } from '../words/pattern.ts'
import { contextOf, type Context } from '../words/hits-in.ts'
import { answersOf, type AnswerWords } from '../words/answers.ts'
import { partsIn } from '../words/compounds.ts'
import { tokensOf } from '../words/tokens.ts'

// Runs in its own thread, which `beside.server.ts` starts: it unpacks the pages of documents and looks at their words,
// while the main thread answers others.

/** Packed pages, one after the other, and where each ends. */
export type PackedPages = { bytes: Uint8Array; ends: number[] }
/** How many letters a task may look at, and for how long it may use the processor. */
export type Allowance = { letters: number; ms: number }

export type BesideTask =
  | { kind: 'match'; pages: PackedPages; patterns: string[]; allowance: Allowance }
  | { kind: 'quote'; pages: PackedPages; answers: AnswerWords[]; allowance: Allowance }
  | { kind: 'terms'; pages: PackedPages; most: number }
  | { kind: 'parts'; terms: string[] }

export type BesideAnswer = {
  /** For each page, which patterns it has. Fewer than there are pages if the allowance was used up. */
  matched: number[][]
  /** For each page, its best place. Fewer in the same way. */
  quotes: Context[]
  /** Different words, or parts of words. */
  words: string[]
  used: Allowance
}

/** A page is unpacked to no more than this; no page that is kept is longer. */
const MOST_BYTES = 20 * 1024 * 1024

function* textsOf({ bytes, ends }: PackedPages): Generator<string> {
  let from = 0
  for (const to of ends) {
    yield inflateRawSync(bytes.subarray(from, to), { maxOutputLength: MOST_BYTES }).toString()
    from = to
  }
}

/** Goes through pages until the allowance is used up. */
function eachText<Found>(
  pages: PackedPages,
  { letters, ms }: Allowance,
  look: (text: string) => Found,
): { found: Found[]; used: Allowance } {
  const began = process.threadCpuUsage()
  const used = { letters: 0, ms: 0 }
  const found: Found[] = []
  for (const text of textsOf(pages)) {
    found.push(look(text))
    used.letters += text.length
    const { user, system } = process.threadCpuUsage(began)
    used.ms = (user + system) / 1000
    if (used.letters >= letters || used.ms >= ms) break
  }
  return { found, used }
}

const MOST_KEPT = 50_000
const keptParts = new Map<string, string[]>()

/** Cached, since the same words come again in file after file. */
function knownPartsIn(term: string): string[] {
  const parts = keptParts.get(term) ?? partsIn(term)
  if (keptParts.size < MOST_KEPT) keptParts.set(term, parts)
  return parts
}

const NONE: BesideAnswer = { matched: [], quotes: [], words: [], used: { letters: 0, ms: 0 } }

function answer(task: BesideTask): BesideAnswer {
  if (task.kind === 'match') {
    const expressions = task.patterns.map(regExpOf)
    const { found, used } = eachText(task.pages, task.allowance, (text) =>
      expressions.flatMap((expression, index) => (expression.test(text) ? [index] : [])),
    )
    return { ...NONE, matched: found, used }
  }
  if (task.kind === 'quote') {
    const answers = task.answers.map(answersOf)
    const { found, used } = eachText(task.pages, task.allowance, (text) => contextOf(text, answers))
    return { ...NONE, quotes: found, used }
  }
  if (task.kind === 'parts') return { ...NONE, words: [...new Set(task.terms.flatMap(knownPartsIn))] }
  const terms = new Set<string>()
  for (const text of textsOf(task.pages)) {
    for (const { term } of tokensOf(text)) if (terms.size < task.most) terms.add(term)
    if (terms.size >= task.most) break
  }
  return { ...NONE, words: [...terms] }
}

const main = parentPort
main?.on('message', (task: BesideTask) => main.postMessage(answer(task), []))
