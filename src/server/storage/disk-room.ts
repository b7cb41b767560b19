import { statfs } from 'node:fs/promises'

/**
 * The disk has less space left than the reserve for the database and the log. The answer is 507; an upload says it at the
 * file, and forgets the files of its request (`uploads/transport/temporary.routes.ts`).
 */
export class DiskLow extends Error {
  free: number
  constructor(path: string, free: number, reserve: number) {
    super(`The disk of ${path} has ${free} bytes left; ${reserve} are kept free (DISK_RESERVE_BYTES).`)
    this.free = free
  }
}

/** The space left for files on a disk that the database and the log also need. */
export type DiskRoom = {
  /** Throws `DiskLow` if this many more bytes would take from the reserve. */
  ensure: (bytes?: number) => Promise<void>
  /** `left` is negative if the reserve is in use. */
  look: () => Promise<{ free: number; left: number; total: number }>
  /** Adds a listener for refused bytes. It is called at most every 10 seconds. */
  whenLow: (tell: (free: number) => void) => void
}

const REPORT_EVERY_MS = 10_000

/** A `reserve` of null means the usual one for the disk's size. */
export function openDiskRoom(path: string, reserve: number | null): DiskRoom {
  const listeners: ((free: number) => void)[] = []
  let reportedAt = -Infinity

  async function measure() {
    const { bavail, blocks, bsize } = await statfs(path)
    const [free, total] = [bavail * bsize, blocks * bsize]
    return { free, total, kept: reserve ?? usualReserve(total) }
  }

  return {
    async look() {
      const { free, total, kept } = await measure()
      return { free, left: free - kept, total }
    },
    async ensure(bytes = 0) {
      const { free, kept } = await measure()
      if (free - bytes >= kept) return
      if (performance.now() - reportedAt > REPORT_EVERY_MS) {
        reportedAt = performance.now()
        for (const tell of listeners) tell(free)
      }
      throw new DiskLow(path, free, kept)
    },
    whenLow: (tell) => void listeners.push(tell),
  }
}

/** Several times what the built-in database may write before its next checkpoint. */
const USUAL_BYTES = 1_000_000_000

export const usualReserve = (disk: number) => Math.min(USUAL_BYTES, Math.floor(disk / 4))

/** Whether there is room for more; for work that waits until there is. Reports a full disk as an upload does. */
export async function isRoomLeft({ room }: { room?: DiskRoom }): Promise<boolean> {
  try {
    await room?.ensure()
    return true
  } catch (error) {
    if (error instanceof DiskLow) return false
    throw error
  }
}
