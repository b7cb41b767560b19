/** A word of a text, as it is compared, and where it stands. */
export type FoldedWord = {
  folded: string
  from: number
  to: number
  isCapital: boolean
}

const LETTERS: Record<string, string> = { æ: 'ae', ø: 'oe', ß: 'ss' }

/** Returns the form in which words are compared. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  // oxlint-disable-next-line no-control-regex -- nearly every line ends here
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replaceAll('a\u030a', 'aa')
    .replaceAll('a\u0308', 'ae')
    .replaceAll('o\u0308', 'oe')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[æøß]/g, (letter) => LETTERS[letter]!)
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu

export function wordsOf(text: string): FoldedWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    folded: fold(word),
    from: index,
    to: index + word.length,
    isCapital: /^\p{Lu}/u.test(word),
  }))
}
