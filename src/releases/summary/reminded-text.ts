import { formatCount } from '../../base/danish/counts.ts'
import { countPeople, type PeopleCounts } from '../release/release.ts'

type Counts = Pick<PeopleCounts, 'reached' | 'opened' | 'unopened'>

/** How many have opened nothing and were not mailed either, so that a reminder is not for them. */
const leftOutOf = ({ reached, opened, unopened }: Counts) => Math.max(0, reached - opened - unopened)

/** 'den ene', 'de 12', or '12 af de 15' if not all of them were mailed. */
export function remindedText(counts: Counts): string {
  const leftOut = leftOutOf(counts)
  if (leftOut > 0) return `${formatCount(counts.unopened)} af de ${formatCount(counts.unopened + leftOut)}`
  return counts.unopened === 1 ? 'den ene' : `de ${formatCount(counts.unopened)}`
}

/** Says who gets no reminder, or '' for nobody. */
export function leftOutText(counts: Counts): string {
  const leftOut = leftOutOf(counts)
  return leftOut === 0
    ? ''
    : `${countPeople(leftOut)} har ikke fået mail om dem og får heller ingen påmindelse. `
}
