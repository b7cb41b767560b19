// Zero-width and bidirectional controls, fillers and the like change how a text looks or compares without being seen.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/g

// More marks on one letter than any writing has. Counted from the first one: trying each takes time by the square.
const STACKED = /(?<!\p{M})(\p{M}{30})\p{M}+/gu

/** Whether every letter of a text came through: half a pair is none, and U+FFFD stands where bytes were no letters. */
export function isReadable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\ufffd')
}

/**
 * How many letters a line may have as it is written, when it may have `most` as it is kept: a letter can be written as two or
 * three. What is longer is refused before anything is done with it.
 */
export function rawLength(most: number): number {
  return 3 * most + 50
}

/** One line as we keep it: composed, without what cannot be seen, outer space trimmed and inner runs made one. */
export function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(CONTROL, '')
    .replace(STACKED, '$1') // or composing them takes time by the square of their number
    .normalize('NFC') // only now is an A beside its ring
    .replace(STACKED, '$1')
    .replace(/[\s\x85]+/g, ' ')
    .trim()
}

/** What makes two e-mail addresses the same. */
export function emailKey(email: string): string {
  return cleanLine(email).toLowerCase()
}

/** 'Anne Marie Holm' becomes 'AH'. */
export function initialsOf(name: string): string {
  const words = cleanLine(name).split(' ').filter(Boolean)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => Array.from(word)[0]!.toUpperCase()).join('')
}
