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
 * What a text says, written the Danish way: '1.234,5' is 1234.5. Rounded to the decimals, clamped to the bounds and
 * to the safe integers. Null when it says nothing sure: '1,234.56' might be anything.
 */
export function parseMoney(
  text: string,
  { decimals = 0, min = -Infinity, max = Infinity }: MoneyRules = {},
): number | null {
  const match = NUMBER.exec(text.trim().replaceAll(/[\u00a0\u202f]/g, ' '))
  if (!match) return null
  const { sign = '', whole = '', fraction = '' } = match.groups!
  const value = rounded(whole.replaceAll(/[. ]/g, ''), fraction, decimals)
  return clamp(sign ? -value : value, min, max)
}

// Digits, in groups of three by points or by spaces or in none at all; one comma.
const NUMBER =
  /^(?<sign>[-\u2212])?\s*(?<whole>\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?: \d{3})+)(?:,(?<fraction>\d*))?$/

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

/** What a field shows of a text that is put in at once, by pasting or otherwise: null when it is no amount. */
export function pastedMoney(text: string): string | null {
  return text.trim() === '' || parseMoney(text) !== null ? filterMoney(text) : null
}

/** What a form sent: '12.5', as our script writes it, or '12,5', as it was typed without one. For two decimals at most. */
export function readMoney(text: string, rules: MoneyRules = {}): number | null {
  const isPlain = /^-?\d+\.\d{1,2}$/.test(text)
  return parseMoney(isPlain ? text.replace('.', ',') : text, rules)
}

/** 'kr.' of DKK. */
export function moneySymbol(currency = CURRENCY): string {
  const parts = formatterFor({ style: 'currency', currency }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')!.value
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

function clamp(value: number, min: number, max: number): number {
  const least = Math.max(min, Number.MIN_SAFE_INTEGER)
  const most = Math.min(max, Number.MAX_SAFE_INTEGER)
  return Math.min(Math.max(value, least), most) + 0 // never -0
}
