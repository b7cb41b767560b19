import { readFileSync, statfsSync } from 'node:fs'

/** The tests need up to 1 GB of it at a time. */
const ROOM = 4 * 2 ** 30

/** Returns a directory in memory if this computer has one with enough room, in which programs may run. */
export function findMemoryDirectory(): string | null {
  const path = '/dev/shm'
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === path)?.[3]
    if (!options || options.split(',').includes('noexec')) return null
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize > ROOM ? path : null
  } catch {
    return null // not Linux
  }
}
