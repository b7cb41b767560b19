// Zero-width and bidirectional controls, fillers and the like are invisible, but change how a text looks or compares.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
// oxlint-disable-next-line no-control-regex -- it searches for control characters
const CONTROL = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/g

// More marks on one letter than any script has. Starts at the first mark only: starting at each takes quadratic time.
const STACKED = /(?<!\p{M})(\p{M}{30})\p{M}+/gu

/** Whether a text arrived undamaged: without lone surrogates, and without U+FFFD, which replaces invalid bytes. */
export function isReadable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\ufffd')
}

/**
 * Returns how long a line may be before it is cleaned, if it may have `most` letters afterwards: a letter can be written
 * as two or three. Longer lines are refused before anything is done with them.
 */
export function rawLength(most: number): number {
  return 3 * most + 50
}

// Words of plain letters with one space between them, as most lines are: there is nothing to clean.
const CLEAN = /^[!-~À-ÿ]+(?: [!-~À-ÿ]+)*$/

/** Cleans a line for storing: composes letters, drops invisible characters, trims, and joins inner spaces into one. */
export function cleanLine(text: string): string {
  if (CLEAN.test(text)) return text
  return text
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(CONTROL, '')
    .replace(STACKED, '$1') // otherwise composing them takes quadratic time
    .normalize('NFC') // comes after the removals, which bring an A and its ring together
    .replace(STACKED, '$1')
    .replace(/[\s\x85]+/g, ' ')
    .trim()
}

/** Cleans a text of several lines: each line, without empty lines at its ends and with at most one between others. */
export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the key that is equal for equal e-mail addresses. */
export function emailKey(email: string): string {
  return cleanLine(email).toLowerCase()
}

/** 'Anne Marie Holm' becomes 'AH'. */
export function initialsOf(name: string): string {
  const words = cleanLine(name).split(' ').filter(Boolean)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => Array.from(word)[0]!.toUpperCase()).join('')
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for the HTML of a mail, and for XML. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!)
