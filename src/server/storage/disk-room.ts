import { statfs } from 'node:fs/promises'

/** The disk has less left than is kept for the database and the log. */
export class DiskLow extends Error {
  free: number
  constructor(path: string, free: number, reserve: number) {
    super(`The disk of ${path} has ${free} bytes left; ${reserve} are kept free (DISK_RESERVE_BYTES).`)
    this.free = free
  }
}

/** How much is left for files on a disk that others need too. */
export type DiskRoom = {
  /** Throws `DiskLow` when so many more bytes would take what is kept free. */
  ensure: (bytes?: number) => Promise<void>
  /** Negative when the reserve has been broken into. */
  look: () => Promise<{ free: number; left: number }>
  /** Somebody who wants to know when bytes are refused; told now and then. */
  whenLow: (tell: (free: number) => void) => void
}

const TOLD_EVERY_MS = 10_000

/** `reserve` is null for what suits the disk. */
export function openDiskRoom(path: string, reserve: number | null): DiskRoom {
  const listeners: ((free: number) => void)[] = []
  let toldAt = -Infinity

  async function measure() {
    const { bavail, blocks, bsize } = await statfs(path)
    const free = bavail * bsize
    return { free, kept: reserve ?? usualReserve(blocks * bsize) }
  }

  return {
    async look() {
      const { free, kept } = await measure()
      return { free, left: free - kept }
    },
    async ensure(bytes = 0) {
      const { free, kept } = await measure()
      if (free - bytes >= kept) return
      if (performance.now() - toldAt > TOLD_EVERY_MS) {
        toldAt = performance.now()
        for (const tell of listeners) tell(free)
      }
      throw new DiskLow(path, free, kept)
    },
    whenLow: (tell) => void listeners.push(tell),
  }
}

/** Several times what the built-in database may write before it tidies up. */
const USUAL_BYTES = 1_000_000_000

export const usualReserve = (disk: number) => Math.min(USUAL_BYTES, Math.floor(disk / 4))
