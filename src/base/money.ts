const CURRENCY = 'DKK' // S9.5

export type MoneyRules = {
  /** S9.5 */
  decimals?: number
  min?: number
  max?: number
}

type MoneyLook = { decimals?: number; grouping?: boolean; symbol?: boolean; currency?: string }

/** 1234567 becomes '1.234.567': by default Danish, whole, grouped and without the currency (S5.9). */
export function formatMoney(value: number, look: MoneyLook = {}): string {
  const { decimals = 0, grouping = true, symbol = false, currency = CURRENCY } = look
  const text = formatterFor({
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: grouping,
    ...(symbol && { style: 'currency', currency }),
  }).format(value)
  return text.replace('\u2212', '-') // so that other programs read a copied amount as a number
}

/**
 * Reads an amount in Danish: '1.234,5' is 1234.5. Also reads '12.5', which can mean only one thing. Rounds to the decimals
 * and clamps to the bounds and the safe integers. Null if the text is not clear: '1,234' may be a thousand.
 */
export function parseMoney(text: string, rules: MoneyRules = {}): number | null {
  const read = readNumber(text, rules.decimals)
  if (!read) return null
  const { least, most } = boundsOf(rules)
  return Math.min(Math.max(read.value, least), most) + 0 // never -0
}

/**
 * Reads an amount field when the user leaves it (S5.9): the value that counts, and a note if it is not the one written.
 * Null if the text is no amount.
 */
export function settleMoney(
  text: string,
  rules: MoneyRules = {},
): { value: number | null; note: string } | null {
  if (text.trim() === '') return { value: null, note: '' }
  const { decimals = 0 } = rules
  const read = readNumber(text, decimals)
  const value = parseMoney(text, rules)
  if (!read || value === null) return null
  const shown = formatMoney(value, { decimals })
  if (read.value < value) return { value, note: `Beløbet skal være mindst ${shown}.` }
  if (read.value > value) return { value, note: `Beløbet må højst være ${shown}.` }
  return { value, note: read.isRounded ? `Afrundet til ${unitOf(decimals)}.` : '' }
}

const unitOf = (decimals: number) => {
  if (decimals === 0) return 'hele kroner'
  return decimals === 1 ? 'én decimal' : `${decimals} decimaler`
}

// Digits, without groups or in groups of three with points or spaces; at most one comma.
const NUMBER =
  /^(?<sign>[-\u2212])?\s*(?<whole>\d*|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(?:,(?<fraction>\d*))?$/

// A single point, which is a decimal point unless the text is GROUPED.
const POINT = /^(?<whole>[-\u2212]?\s*\d*)\.(?<fraction>\d+)$/
const GROUPED = /^[-\u2212]?\s*[1-9]\d{0,2}\.\d{3}$/

const ORE_DECIMALS = 2
const MOST_LETTERS = 400

function readNumber(text: string, decimals = 0): { value: number; isRounded: boolean } | null {
  if (text.length > MOST_LETTERS) return null
  const line = text.trim().replaceAll(/[\u00a0\u202f]/g, ' ')
  const danish = GROUPED.test(line) ? line : line.replace(POINT, '$<whole>,$<fraction>')
  const { sign = '', whole = '', fraction = '' } = NUMBER.exec(danish)?.groups ?? {}
  if (whole + fraction === '' || fraction.length > Math.max(decimals, ORE_DECIMALS)) return null
  const value = rounded(whole.replaceAll(/[. ]/g, ''), fraction, decimals)
  return { value: sign ? -value : value, isRounded: /[1-9]/.test(fraction.slice(decimals)) }
}

/**
 * Keeps the characters that an amount can have: digits, points, the first comma, a minus in front. Keeps a comma even
 * without decimals, because '1234,56' without it is another amount, and a minus even if the minimum is 0; `parseMoney`
 * rounds and clamps. Keeps a point after the comma, so that '1,234.56' is refused and not misread.
 */
export function filterMoney(text: string): string {
  const sign = /^\s*([-\u2212])/.exec(text)?.[1] ?? ''
  const [whole = '', ...rest] = text.replaceAll(/[^\d.,]/g, '').split(',')
  return sign + whole + (rest.length > 0 ? `,${rest.join('')}` : '')
}

const formatters = new Map<string, Intl.NumberFormat>()

// Keeps the formatters: making one costs far more than using it, and a table of amounts uses hundreds.
function formatterFor(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const formatter = formatters.get(key) ?? new Intl.NumberFormat('da-DK', options)
  formatters.set(key, formatter)
  return formatter
}

/** Rounds the digits, half up. As a floating-point number, 1.005 is less than it looks. */
function rounded(whole: string, fraction: string, decimals: number): number {
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const up = (fraction[decimals] ?? '0') >= '5' ? 1n : 0n
  return Number(kept + up) / 10 ** decimals
}

function boundsOf({ min = -Infinity, max = Infinity }: MoneyRules): { least: number; most: number } {
  return { least: Math.max(min, Number.MIN_SAFE_INTEGER), most: Math.min(max, Number.MAX_SAFE_INTEGER) }
}
