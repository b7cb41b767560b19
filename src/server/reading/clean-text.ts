/** More letters than this on one page are no page: what follows is left out, or is the next page. */
export const MOST_PAGE_LETTERS = 100_000

/**
 * Returns a page's text as stored: composed, without invisible characters, one space between words, a line for each
 * line, and words joined that were divided at the end of a line ('års-\nrapport' becomes 'årsrapport').
 */
export function cleanText(raw: string): string {
  return raw
    .slice(0, MOST_PAGE_LETTERS)
    .toWellFormed()
    .normalize('NFC')
    .replace(LIGATURE, (letters) => letters.normalize('NFKC'))
    .replace(LINE_END, '\n')
    .replace(SPACE, ' ')
    .replace(UNSEEN, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(DIVIDED, '$1$2')
    .replaceAll('\u00ad', '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const LIGATURE = /[\ufb00-\ufb06]/g
const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Signs of a font that has its own are no letters to anybody else. */
const SPACE = /[\t\p{Zs}\p{Co}\ufffd]/gu
/** The soft hyphen is needed until divided words are whole. */
const UNSEEN = /(?![\n\u00ad])[\p{Cc}\p{Cf}\p{Cn}]/gu
/** Not 'bygnings-\nog grundværdi', nor 'e-\nmail', nor a name as in 'K/S-\nselskab'. */
const DIVIDED =
  /(\p{Ll}\p{Ll}|\p{Ll}(?=\u00ad))[-\u2010\u00ad]\n(?!(?:og|eller|samt|til|men|i)(?!\p{L}))(\p{Ll})/gu
