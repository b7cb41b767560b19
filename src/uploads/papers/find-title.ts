import { BEFORE_TITLE, PAPER_KINDS, type PaperKind } from './paper-kinds.ts'
import { fold, wordsOf } from '../../base/folded-words.ts'
import type { PaperLine } from './paper-lines.ts'

/** A line that names the kind of paper. */
export type FoundTitle = { kind: PaperKind; said: string; page: number; at: number }

const MOST_TITLE_WORDS = 12
/** A title stands among the first lines of a page. */
const TITLE_LINES = 40
const NEXT_TITLE_LINES = 15

/**
 * Finds the lines that can be a paper's title, in their order. The first is most likely the title. If the first page has
 * none, it may be a letter that came with the paper.
 */
export function findTitles(lines: readonly PaperLine[]): FoundTitle[] {
  const first = lines[0]?.page ?? 1
  const on = (wanted: number, most: number) =>
    lines.filter(({ page, at }) => page === wanted && at < most).flatMap((line) => titleIn(line) ?? [])
  const titles = on(first, TITLE_LINES)
  return titles.length > 0 ? titles : on(first + 1, NEXT_TITLE_LINES)
}

function titleIn(line: PaperLine): FoundTitle | null {
  const { text, folded, words, page, at } = line
  if (words.length === 0 || words.length > MOST_TITLE_WORDS) return null
  // '2. Årsrapport for 2024' is a point of an agenda, a sentence is no title, and a company has a name.
  if (/^(?:\d{1,2}[.)]|§|ad\b|item\b|[-•–])/.test(folded) || (/[.:]$/.test(text) && words.length > 4))
    return null
  if (COMPANY.test(text)) return null
  // 'K/S Nordhavn Kontorhus – Årsrapport 2025'
  const parts = text.split(/ [-–—|] |: /).filter(Boolean)
  for (const part of [text, ...(parts.length > 1 ? parts : [])]) {
    const kind = kindAtStart(part)
    if (kind) return { kind, said: text, page, at }
  }
  return null
}

const COMPANY = / (?:A\/S|ApS|AS|Ltd\.?|GmbH|Aktieselskab)$/

function kindAtStart(part: string): PaperKind | null {
  const [folded, words] = [fold(part), wordsOf(part)]
  let lead = 0
  while (lead < words.length - 1 && lead < 4 && BEFORE_TITLE.has(words[lead]!.folded)) lead++
  for (let start = 0; start <= lead && start < words.length; start++) {
    const kind = longestKind(foldedFrom(folded, words, start))
    if (kind) return kind
  }
  return null
}

/** The line from one of its words on. Folding may make letters longer, so the word is looked for. */
function foldedFrom(folded: string, words: PaperLine['words'], start: number): string {
  let from = 0
  for (let index = 0; index <= start; index++) {
    from = folded.indexOf(words[index]!.folded, from)
    if (index < start) from += words[index]!.folded.length
  }
  return folded.slice(from)
}

function longestKind(text: string): PaperKind | null {
  let [best, length] = [null as PaperKind | null, 0]
  for (const kind of PAPER_KINDS)
    for (const title of kind.titles)
      if (title.length > length && begins(text, title)) [best, length] = [kind, title.length]
  return best
}

/** Also matches 'årsrapporten', 'lejekontrakter', and words written with spaced letters. */
function begins(text: string, title: string): boolean {
  return text.startsWith(title) && !/^[a-z]{7,}/.test(text.slice(title.length))
}
