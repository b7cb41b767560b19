import { compareDanish } from '../../base/danish/order.ts'
import { yearOfPeriod } from '../../base/time/period.ts'

/**
 * Returns the fewest items that must move to turn one order into another: all but a longest run that is already in
 * the right order. `[1, 2, 3, 4]` becomes `[4, 1, 2, 3]` by moving 4 alone.
 */
export function movedBetween(now: readonly number[], next: readonly number[]): Set<number> {
  const placeOf = new Map(now.map((id, place) => [id, place]))
  const places = next.map((id) => placeOf.get(id)!)
  const staying = longestRise(places)
  return new Set(next.filter((_, index) => !staying.has(index)))
}

/** Returns the indexes of a longest increasing subsequence, in n log n. */
function longestRise(numbers: readonly number[]): Set<number> {
  const ends: number[] = [] // for each length, the index of the last number of the best subsequence
  const before: number[] = []
  numbers.forEach((number, index) => {
    const length = firstNotBelow(ends, (end) => numbers[end]! >= number)
    before[index] = length > 0 ? ends[length - 1]! : -1
    ends[length] = index
  })
  const rise = new Set<number>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) rise.add(index)
  return rise
}

function firstNotBelow(ends: readonly number[], isNotBelow: (end: number) => boolean): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isNotBelow(ends[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

/** Sorts files that are added together: the highest year first, files without a year last, then by name. */
export function compareNewFiles(
  a: { name: string; period: string | null },
  b: { name: string; period: string | null },
): number {
  return (yearOfPeriod(b.period) ?? 0) - (yearOfPeriod(a.period) ?? 0) || compareDanish(a.name, b.name)
}

/** Whether two lists hold the same ids, each once. */
export function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  const sizes = [one, other, [...one, ...other]].map((ids) => new Set(ids).size)
  return sizes.every((size) => size === one.length) && one.length === other.length
}

/** The ways to sort a folder. */
export const SORT_BY = ['name', 'year', 'date'] as const
export type SortBy = (typeof SORT_BY)[number]
