import { SideThread } from '../../server/process/side-thread.ts'
import type { PackedPage } from '../../reading/page-texts.db.ts'
import type { AnswerWords } from '../words/answers.ts'
import type { Context } from '../words/hits-in.ts'
import type { Allowance, BesideAnswer, BesideTask, PackedPages } from './program.server.ts'

/** Unpacks and compares the pages of documents for everybody, beside the main thread. */
const thread = new SideThread<BesideTask, BesideAnswer>('src/search/beside/program.server.ts')

/** The allowance of the search page, and of suggestions while somebody types. */
const ALLOWED = {
  page: { letters: 24_000_000, ms: 2000, clockMs: 8000 },
  box: { letters: 3_000_000, ms: 400, clockMs: 2000 },
}

/** This much is searched before the next person has a turn. */
const AT_ONCE: Allowance = { letters: 1_500_000, ms: 150 }

type Options = {
  /** The client whose turn it is. */
  client?: string
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
  kind?: keyof typeof ALLOWED
  allowed?: Allowance & { clockMs: number }
}

/** One search through the pages of documents. Its letters and time are limited, however many files there are. */
export class Look {
  signal: AbortSignal | undefined
  /** Whether it stopped before it had seen everything. */
  isCut = false
  #client: string
  #left: Allowance
  /** Kept apart, so that hits can be shown even if searching used everything else. */
  #leftToQuote: Allowance
  #until: number

  constructor({ client = '', signal, kind = 'page', allowed = ALLOWED[kind] }: Options = {}) {
    this.#client = client
    this.signal = signal
    this.#left = { letters: allowed.letters, ms: allowed.ms }
    this.#leftToQuote = { letters: allowed.letters / 4, ms: allowed.ms / 4 }
    this.#until = performance.now() + allowed.clockMs
  }

  /** Whether nothing more can be looked at. */
  get isSpent(): boolean {
    return isUsed(this.#left) || performance.now() > this.#until
  }

  /** Returns, for each page, which patterns it has. */
  async match(pages: readonly PackedPage[], patterns: string[]): Promise<number[][]> {
    const matched: number[][] = []
    while (matched.length < pages.length && !this.isSpent) {
      const task = { kind: 'match', patterns } as const
      matched.push(...(await this.#ask(task, pages.slice(matched.length), this.#left)).matched)
    }
    this.isCut ||= matched.length < pages.length
    return matched
  }

  /** Returns, for each page, the place that answers most. */
  async quote(pages: readonly PackedPage[], answers: AnswerWords[]): Promise<Context[]> {
    const quotes: Context[] = []
    while (quotes.length < pages.length && !isUsed(this.#leftToQuote)) {
      const task = { kind: 'quote', answers } as const
      quotes.push(...(await this.#ask(task, pages.slice(quotes.length), this.#leftToQuote)).quotes)
    }
    this.isCut ||= quotes.length < pages.length
    return quotes
  }

  /** Looks at some of the pages; then others have a turn. */
  async #ask(task: Looking, some: readonly PackedPage[], left: Allowance): Promise<BesideAnswer> {
    const pages = packedOf(some)
    const allowance = {
      letters: Math.min(AT_ONCE.letters, left.letters),
      ms: Math.min(AT_ONCE.ms, left.ms),
    }
    const passed = [pages.bytes.buffer as ArrayBuffer]
    const answer = await thread.ask(
      this.#client,
      { ...task, pages, allowance },
      { signal: this.signal, passed },
    )
    this.signal?.throwIfAborted()
    left.letters -= answer.used.letters
    left.ms -= answer.used.ms
    return answer
  }
}

type Looking = { kind: 'match'; patterns: string[] } | { kind: 'quote'; answers: AnswerWords[] }

const isUsed = ({ letters, ms }: Allowance) => letters <= 0 || ms <= 0

/** Returns the different words of pages, up to `most`. */
export async function termsIn(pages: readonly PackedPage[], most: number): Promise<string[]> {
  const packed = packedOf(pages)
  const passed = [packed.bytes.buffer as ArrayBuffer]
  const { words } = await thread.ask(INDEXING, { kind: 'terms', pages: packed, most }, { passed })
  return words
}

/** Returns the listed parts that words are made of. */
export async function partsOfTerms(terms: string[]): Promise<string[]> {
  const { words } = await thread.ask(INDEXING, { kind: 'parts', terms })
  return words
}

const INDEXING = 'indexing'

function packedOf(pages: readonly PackedPage[]): PackedPages {
  const ends: number[] = []
  let end = 0
  for (const { packed } of pages) ends.push((end += packed.length))
  const bytes = new Uint8Array(end)
  for (const [index, { packed }] of pages.entries()) bytes.set(packed, index === 0 ? 0 : ends[index - 1])
  return { bytes, ends }
}
