/** A word or number in a text, in the form in which it is compared, and where it stands. */
export type Token = { term: string; from: number; to: number }

/** A longer word is no word. */
const LONGEST = 60

const LETTERS: Record<string, string> = {
  æ: 'ae',
  ø: 'oe',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  œ: 'oe',
  ı: 'i',
}

/** Returns the form in which words are compared: small letters, `aa` for å, `ae` for æ and ä, `oe` for ø and ö, no accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  // Nearly every word of a text ends here.
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replaceAll('a\u030a', 'aa')
    .replaceAll('a\u0308', 'ae')
    .replaceAll('o\u0308', 'oe')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[æøßđðłþœı]/g, (letter) => LETTERS[letter]!)
}

// A number with dots between thousands is one number, and so are digits in groups: 1.234.567,50 and 12 34 56 78.
const NUMBER = /\d{1,3}(?:\.\d{3}){1,6}(?!\d)|\d+/y
const GROUPS = /\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,6}(?!\d)|\d\d(?:[ \u00a0\u202f]\d\d){3}(?!\d)/y
const DECIMALS = /,(\d{1,4})(?!\d)/y
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/** The months in Danish and English, also cut short. */
const WRITTEN_MONTHS = [
  /^jan(uar|uary)?$/,
  /^feb(ruar|ruary)?$/,
  /^mar(ts|ch)?$/,
  /^apr(il)?$/,
  /^ma[jy]$/,
  /^jun[ie]?$/,
  /^jul[iy]?$/,
  /^aug(ust)?$/,
  /^sept?(ember)?$/,
  /^o[kc]t(ober)?$/,
  /^nov(ember)?$/,
  /^dec(ember)?$/,
]
const DATE =
  /(\d{1,2})(?:[./-](\d{1,2})[./-]|\.? ?(\p{L}{3,9})\.? ?)(\d{4})(?!\d)|(\d{4})-(\d\d)-(\d\d)(?!\d)/uy

/**
 * Returns the words and numbers of a text in their order. Digits in groups count together, and each group too; so does a date,
 * as `d20241231`, however it is written.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    const from = match.index
    if (from < end) continue
    if (isDigit(text.charCodeAt(from))) {
      addDate(text, from, tokens)
      end = addNumber(text, from, match[0], tokens)
    } else end = addWord(match[0], from, tokens)
  }
  return tokens
}

const isDigit = (code: number) => code >= 48 && code <= 57

function addWord(word: string, from: number, tokens: Token[]): number {
  const to = from + word.length
  const term = fold(word)
  if (term.length > 0 && term.length <= LONGEST) tokens.push({ term, from, to })
  return to
}

function addDate(text: string, from: number, tokens: Token[]): void {
  DATE.lastIndex = from
  const match = DATE.exec(text)
  if (!match) return
  const [whole, day, number, name, year, isoYear, isoMonth, isoDay] = match
  const month = name
    ? WRITTEN_MONTHS.findIndex((pattern) => pattern.test(name.toLowerCase())) + 1
    : Number(number ?? isoMonth)
  const [d, y] = [Number(day ?? isoDay), year ?? isoYear]
  if (month < 1 || month > 12 || d < 1 || d > 31) return
  const term = `d${y}${String(month).padStart(2, '0')}${String(d).padStart(2, '0')}`
  tokens.push({ term, from, to: from + whole.length })
}

/** Adds the number that begins here, or the word, as `2tal`. Returns where it ends. */
function addNumber(text: string, from: number, word: string, tokens: Token[]): number {
  if (!/^\d+$/.test(word)) return addWord(word, from, tokens)
  const groups = matchAt(GROUPS, text, from)
  if (groups) return addGroups(text, from, groups, tokens)
  const digits = matchAt(NUMBER, text, from)!
  const to = from + digits.length
  const whole = plainDigits(digits)
  if (whole.length <= LONGEST) tokens.push({ term: whole, from, to })
  return addDecimals(text, from, to, whole, tokens)
}

/** Columns of a table may look like one number, so every run of groups is a number too. */
function addGroups(text: string, from: number, groups: string, tokens: Token[]): number {
  const parts = groups.split(/[ \u00a0\u202f]/)
  const starts = [from]
  for (const part of parts) starts.push(starts.at(-1)! + part.length + 1)
  for (let first = 0; first < parts.length; first++)
    for (let last = Math.min(parts.length, first + 4) - 1; last >= first; last--)
      tokens.push({
        term: parts.slice(first, last + 1).join(''),
        from: starts[first]!,
        to: starts[last]! + parts[last]!.length,
      })
  return addDecimals(text, from, from + groups.length, parts.join(''), tokens)
}

function addDecimals(text: string, from: number, to: number, whole: string, tokens: Token[]): number {
  const decimals = matchAt(DECIMALS, text, to)
  if (!decimals) return to
  const end = to + decimals.length
  if (whole.length <= LONGEST) tokens.push({ term: `${whole}${decimals}`, from, to: end })
  return end
}

const plainDigits = (digits: string) => digits.replaceAll('.', '')

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? null
}

/** Longer numbers are amounts, accounts and the like: nearly all differ, and nobody looks for their beginning. */
const LONGEST_LISTED_NUMBER = 6
const FIRST_NUMBER_ID = 2 ** 30

/** Returns the id of a long number, which is reckoned from it; null for everything that is listed in `words`. */
export function idOfNumber(term: string): number | null {
  if (term.length <= LONGEST_LISTED_NUMBER || !/^[\d,]+$/.test(term)) return null
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return FIRST_NUMBER_ID + ((hash >>> 0) % FIRST_NUMBER_ID)
}
