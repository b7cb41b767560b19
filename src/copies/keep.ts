/**
 * Returns `ringbind-20261115T020003Z.tar`, with the time in UTC. The name tells if the copy has faults. An encrypted one
 * ends in `-1a2b3c4d.tar.age` and names its installation, since not everybody who keeps copies can open them.
 */
export function nameOfCopy(at: Date, hasFaults: boolean, installation?: string): string {
  const moment = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  const faults = hasFaults ? '-with-faults' : ''
  return installation === undefined
    ? `ringbind-${moment}${faults}.tar`
    : `ringbind-${moment}${faults}-${installation.slice(0, TAG)}.tar.age`
}

const TAG = 8
const NAME =
  /^ringbind-(?<moment>\d{8}T\d{6}Z)(?<faults>-with-faults)?(?:\.tar|-(?<tag>[0-9a-f]{8})\.tar\.age)$/

/** Whether the name is that of an encrypted copy; then also whether it is this installation's. */
export function encryptedBy(name: string, installation: string): { isOurs: boolean } | null {
  const tag = NAME.exec(name)?.groups!['tag']
  return tag === undefined ? null : { isOurs: installation.startsWith(tag) }
}

export const isCopyName = (name: string): boolean => NAME.test(name)

/** Returns when a copy without faults was made, by its name; null for one with faults, and for any other file. */
export function goodCopyTime(name: string): Date | null {
  const { faults } = NAME.exec(name)?.groups ?? {}
  return faults === undefined ? copyTime(name) : null
}

/** Returns when a copy was made, by its name; null for any other file. */
function copyTime(name: string): Date | null {
  const { moment } = NAME.exec(name)?.groups ?? {}
  if (moment === undefined) return null
  const time = new Date(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'))
  return Number.isNaN(time.getTime()) ? null : time
}

/** Clocks of computers that share a directory differ a little. */
const AHEAD_MS = 3_600_000

/** Whether the time in the name is in the future: a clock was wrong, then or now. */
export function isAhead(name: string, now: Date): boolean {
  const time = copyTime(name)
  return time !== null && time.getTime() > now.getTime() + AHEAD_MS
}

/**
 * Returns the scheduled copies to remove so that `keep` remain: the oldest, but never the one just made, nor the last
 * good one. Ignores copies with a time in the future, since nobody knows how old they are.
 */
export function copiesToRemove(
  names: string[],
  keep: number,
  { made, now }: { made: string; now: Date },
): string[] {
  const momentOf = (name: string) => NAME.exec(name)!.groups!['moment']!
  const isGood = (name: string) => NAME.exec(name)!.groups!['faults'] === undefined
  const older = names
    .filter((name) => isCopyName(name) && name !== made && !isAhead(name, now))
    .toSorted((a, b) => (momentOf(a) < momentOf(b) ? 1 : momentOf(a) > momentOf(b) ? -1 : 0))
  const newestFirst = [made, ...older]
  const lastGood = newestFirst.find(isGood)
  return newestFirst.slice(Math.max(keep, 1)).filter((name) => name !== lastGood)
}
