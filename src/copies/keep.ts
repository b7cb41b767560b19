/** Returns `ringbind-20261115T020003Z.tar`, with the time in UTC. The name tells if the copy has faults. */
export function nameOfCopy(at: Date, hasFaults: boolean): string {
  const moment = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  return `ringbind-${moment}${hasFaults ? '-with-faults' : ''}.tar`
}

const NAME = /^ringbind-(?<moment>\d{8}T\d{6}Z)(?<faults>-with-faults)?\.tar$/

export const isCopyName = (name: string): boolean => NAME.test(name)

/** Returns the scheduled copies to remove so that `keep` remain: the oldest, but never the last good one. */
export function copiesToRemove(names: string[], keep: number): string[] {
  const momentOf = (name: string) => NAME.exec(name)!.groups!['moment']!
  const isGood = (name: string) => NAME.exec(name)!.groups!['faults'] === undefined
  const newestFirst = names
    .filter(isCopyName)
    .toSorted((a, b) => (momentOf(a) < momentOf(b) ? 1 : momentOf(a) > momentOf(b) ? -1 : 0))
  const lastGood = newestFirst.find(isGood)
  return newestFirst.slice(keep).filter((name) => name !== lastGood)
}
