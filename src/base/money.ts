export const CURRENCY = 'DKK' // S9.5

export type MoneyRules = {
  /** S9.5 */
  decimals?: number
  min?: number
  max?: number
}

export type MoneyLook = { decimals?: number; grouping?: boolean; symbol?: boolean; currency?: string }

/** 1234567 becomes '1.234.567': Danish, whole, grouped, without the currency, unless told otherwise (S5.9). */
export function formatMoney(value: number, look: MoneyLook = {}): string {
  const { decimals = 0, grouping = true, symbol = false, currency = CURRENCY } = look
  const text = formatterFor({
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: grouping,
    ...(symbol && { style: 'currency', currency }),
  }).format(value)
  return text.replace('\u2212', '-') // so that what is copied out is a number elsewhere too
}

/**
 * What a text says, written the Danish way: '1.234,5' is 1234.5. '12.5' can only be one thing, and is that. Rounded to the
 * decimals, clamped to the bounds and to the safe integers. Null when it says nothing sure: '1,234' may be a thousand.
 */
export function parseMoney(text: string, rules: MoneyRules = {}): number | null {
  const read = readNumber(text, rules.decimals)
  if (!read) return null
  const { least, most } = boundsOf(rules)
  return Math.min(Math.max(read.value, least), most) + 0 // never -0
}

/**
 * An amount field that has been left (S5.9): what counts from now on, and a sentence if that is not what was written.
 * Null: it is no amount.
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

// Digits, in groups of three by points or by spaces or in none at all; one comma.
const NUMBER =
  /^(?<sign>[-\u2212])?\s*(?<whole>\d*|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(?:,(?<fraction>\d*))?$/

// A single point that cannot stand between groups.
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
 * Keeps of what is typed what may become an amount: digits, points, the first comma, a minus in front. A comma
 * counts at no decimals too, since '1234,56' without it is another amount; so does a minus where the minimum is 0. The
 * reading rounds and clamps them. A point after the comma stays, so that '1,234.56' is refused and not misread.
 */
export function filterMoney(text: string): string {
  const sign = /^\s*([-\u2212])/.exec(text)?.[1] ?? ''
  const [whole = '', ...rest] = text.replaceAll(/[^\d.,]/g, '').split(',')
  return sign + whole + (rest.length > 0 ? `,${rest.join('')}` : '')
}

const formatters = new Map<string, Intl.NumberFormat>()

// Making one costs far more than using it, and a table of amounts uses hundreds.
function formatterFor(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const formatter = formatters.get(key) ?? new Intl.NumberFormat('da-DK', options)
  formatters.set(key, formatter)
  return formatter
}

/** By digits, since 1.005 as a floating-point number is less than it looks. Half goes up. */
function rounded(whole: string, fraction: string, decimals: number): number {
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const up = (fraction[decimals] ?? '0') >= '5' ? 1n : 0n
  return Number(kept + up) / 10 ** decimals
}

function boundsOf({ min = -Infinity, max = Infinity }: MoneyRules): { least: number; most: number } {
  return { least: Math.max(min, Number.MIN_SAFE_INTEGER), most: Math.min(max, Number.MAX_SAFE_INTEGER) }
}
