import { fold, wordsOf, type FoldedWord } from '../../base/folded-words.ts'

/** A line of a paper, as written and as compared. */
export type PaperLine = {
  page: number
  /** Its place on the page, from 0. */
  at: number
  text: string
  /** Lower case, without accents; å is aa, æ is ae and ø is oe, whichever way they are written. */
  folded: string
  words: FoldedWord[]
}

/** A paper says on its first pages where it belongs. */
const FIRST_PAGES = 4
const MOST_LINES = 400
const MOST_LINE_LETTERS = 400

/** Returns the lines of a paper's first pages. Pages without text count. */
export function linesOf(pages: readonly string[]): PaperLine[] {
  const lines: PaperLine[] = []
  for (const [index, page] of pages.slice(0, FIRST_PAGES).entries()) {
    let at = 0
    for (const raw of page.split('\n')) {
      if (lines.length >= MOST_LINES) return lines
      const text = joinSpaced(raw.slice(0, MOST_LINE_LETTERS).trim().toWellFormed())
      if (text === '') continue
      lines.push(toLine({ page: index + 1, at: at++, text }))
    }
  }
  return lines
}

/** Rebuilds a line from its stored form. */
export const toLine = ({ page, at, text }: Pick<PaperLine, 'page' | 'at' | 'text'>): PaperLine => ({
  page,
  at,
  text,
  folded: fold(text),
  words: wordsOf(text),
})

/** 'Å R S R A P P O R T 2 0 2 5' becomes 'ÅRSRAPPORT 2025'. */
function joinSpaced(line: string): string {
  const parts = line.split(' ')
  const single = parts.filter((part) => part.length === 1).length
  const isSpaced =
    parts.length >= 5 ? single >= parts.length * 0.8 : parts.length >= 3 && single === parts.length
  if (!isSpaced) return line
  return parts.join('').replaceAll(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')
}
