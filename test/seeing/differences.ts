import { isDeepStrictEqual } from 'node:util'
import type { RandomPerson } from './random-office.ts'

/** A difference between what a reader was shown and what the rule says. */
export type Difference = { where: string; shown: unknown; expected: unknown }

/** Returns whether it is the same. */
export type Compare = (where: string, shown: unknown, expected: unknown) => boolean

/** Compares what a reader is shown with the model, and gathers what differs. */
export function comparisonFor({ role, id }: Pick<RandomPerson, 'role' | 'id'>) {
  const differences: Difference[] = []
  const compare: Compare = (where, shown, expected) => {
    const isSame = isDeepStrictEqual(shown, expected)
    if (!isSame) differences.push({ where: `${where}, for ${role} ${id}`, shown, expected })
    return isSame
  }
  return { differences, compare }
}
