/** One line of the table that `npm run bench` prints. */
export type Result = {
  what: string
  measured: string
  /** The comparison, measured in the same run. */
  comparedWith?: string
  ratio?: number
  aim: string
  met: boolean
  /** For acts: milliseconds of processor, and the least that the act could cost. */
  parts?: { node: number; postgres: number; sum: number; bare: number }
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [lower, upper] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (lower === undefined || upper === undefined) throw new Error('There is no median of nothing.')
  return (lower + upper) / 2
}
