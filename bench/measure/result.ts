/** A figure that `npm run bench` has measured, beside its limit, and how far from it it may be. */
export type Result = {
  /** Unique among the results of its part. */
  what: string
  value: number
  unit: string
  /** Whether more is better: a rate, not a time or a size. */
  isRate?: true
  /** More about the figure, such as what it consists of. */
  note?: string
  /** The figure it is compared with, measured in the same run: the least work, or the same in a small office. */
  limit?: { what: string; value: number }
  /** Without an aim the figure is only reported. */
  aim?: Aim
  /** Results that differ in little share one bar of the picture. */
  family?: string
  /** For acts: milliseconds of processor. */
  parts?: { node: number; postgres: number }
}

export type Aim = {
  /** At most this many times the limit. */
  times?: number
  /** At most this figure. Without a limit it is the limit. */
  value?: number
  /** Enough if one of the two is met. */
  isEither?: true
}

/** Returns how many times its limit a figure is; less is better. Null if there is nothing to hold it against. */
export function timesOf({ value, isRate, limit, aim }: Result): number | null {
  const held = limit?.value ?? aim?.value
  if (held === undefined) return null
  const [above, below] = isRate ? [held, value] : [value, held]
  if (above <= 0) return 0
  return below <= 0 ? Infinity : above / below
}

/** Returns how many times its limit a figure may be, or null if it has no aim. */
export function mostOf({ limit, aim }: Result): number | null {
  if (!aim) return null
  const bounds = [
    ...(aim.times === undefined ? [] : [aim.times]),
    ...(aim.value === undefined ? [] : [limit ? aim.value / limit.value : 1]),
  ]
  return aim.isEither ? Math.max(...bounds) : Math.min(...bounds)
}

/** Returns whether a figure meets its aim, or null if it has none. */
export function isMet(result: Result): boolean | null {
  const [times, most] = [timesOf(result), mostOf(result)]
  return times === null || most === null ? null : times <= most
}

/** The figure in words: '57.1 ms, page 2'. */
export function measuredText({ value, unit, note }: Result): string {
  return `${withUnit(value, unit)}${note ? `, ${note}` : ''}`
}

/** Describes the limit: 'a bare pipe 900 MB/s'. */
export function limitText({ unit, limit }: Result): string {
  return limit ? `${limit.what} ${withUnit(limit.value, unit)}` : ''
}

/** The aim in words: '≤ 3 × or ≤ 10 ms'. */
export function aimText({ unit, aim }: Result): string {
  if (!aim) return 'told'
  return [
    ...(aim.times === undefined ? [] : [`≤ ${shorter(aim.times)} ×`]),
    ...(aim.value === undefined ? [] : [`≤ ${aim.value.toLocaleString('en')}${unit ? ` ${unit}` : ''}`]),
  ].join(aim.isEither ? ' or ' : ' and ')
}

/** Three digits where they matter: 2.71, 27.1, 271, 27,100. */
export function figure(number: number): string {
  if (!Number.isFinite(number)) return '∞'
  const size = Math.abs(number)
  if (size >= 10_000) return Math.round(number).toLocaleString('en')
  if (size > 0 && size < 0.01) return number.toPrecision(1)
  return number.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)
}

const withUnit = (value: number, unit: string) =>
  `${Number.isInteger(value) ? value.toLocaleString('en') : figure(value)}${unit ? ` ${unit}` : ''}`

/** 1.4286 becomes '1.43', and 3 stays '3'. */
const shorter = (number: number) => String(Number(number.toFixed(2)))

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [lower, upper] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (lower === undefined || upper === undefined) throw new Error('There is no median of nothing.')
  return (lower + upper) / 2
}
