/** `ringbind-20261115T020003Z.tar`, by the moment in UTC; one that has faults says so. */
export function nameOfCopy(at: Date, hasFaults: boolean): string {
  const moment = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  return `ringbind-${moment}${hasFaults ? '-with-faults' : ''}.tar`
}

const NAME = /^ringbind-(?<moment>\d{8}T\d{6}Z)(?<faults>-with-faults)?\.tar$/

export const isCopyName = (name: string): boolean => NAME.test(name)

/** Which of an office's scheduled copies go when so many are to be kept: the oldest, but never the last good one. */
export function copiesToRemove(names: string[], keep: number): string[] {
  const momentOf = (name: string) => NAME.exec(name)!.groups!['moment']!
  const isGood = (name: string) => NAME.exec(name)!.groups!['faults'] === undefined
  const newestFirst = names
    .filter(isCopyName)
    .toSorted((a, b) => (momentOf(a) < momentOf(b) ? 1 : momentOf(a) > momentOf(b) ? -1 : 0))
  const lastGood = newestFirst.find(isGood)
  return newestFirst.slice(keep).filter((name) => name !== lastGood)
}
