import { formatBytes } from '../base/bytes.ts'
import { endNotice, raiseNotice } from '../log/notices/notices.db.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { TooLarge } from '../server/storage/measure.ts'
import {
  ChangedWhileRead,
  claim,
  DirectoryAway,
  findFiles,
  isCutPdf,
  openClaimed,
  removeClaimed,
  removePlace,
  type Claimed,
  type FoundFile,
} from './directory.server.ts'
import type { Untaken } from './intake.ts'
import { putRestingInInbox, findOpenIntake, isTaken, takeFile, type Place } from './intake.db.ts'
import { RestingFiles } from './watched-names.ts'

/** How the directory is watched. */
type Watching = {
  directory: string
  maxFileBytes: number
  /** A file that has not changed for this long is complete. */
  restMs?: number
  /** Files that arrive within this time of each other are one pile. */
  gatherSeconds?: number
  /** A file that seems incomplete gets this much more time. */
  doubtMs?: number
}

const REST_MS = 10_000
const GATHER_SECONDS = 60
const DOUBT_MS = 600_000

type Complain = (about: Record<string, unknown>, message: string) => void

/** Takes files from a directory that scanners and other programs write to. One look at a time. */
export class WatchedDirectory {
  readonly #place: Place
  readonly #watching: Required<Watching>
  readonly #resting: RestingFiles

  constructor(place: Place, watching: Watching) {
    this.#place = place
    this.#watching = { restMs: REST_MS, gatherSeconds: GATHER_SECONDS, doubtMs: DOUBT_MS, ...watching }
    this.#resting = new RestingFiles(this.#watching.restMs)
  }

  /** Takes files that have stopped changing, and puts complete intakes into the inbox. Returns how many files it took. */
  async look(signal: AbortSignal, complain: Complain): Promise<number> {
    const { db } = this.#place
    const { directory, gatherSeconds } = this.#watching
    try {
      const { files, untakable, emptied } = await findFiles(directory)
      await endNotice(db, 'intake-away')
      for (const each of emptied) await removePlace(each)
      const resting = files.flatMap((file) => {
        const rested = this.#resting.see(file.path.toString('latin1'), file.mark, performance.now())
        return rested === null ? [] : [{ file, rested }]
      })
      this.#resting.end()
      let taken = 0
      for (const { file, rested } of resting) {
        if (signal.aborted) return taken
        const why = await this.#take(file, rested)
        if (why === 'taken') taken++
        else if (why !== null) untakable.push({ name: file.name, why })
      }
      await this.#tell(untakable)
      return taken
    } catch (error) {
      if (error instanceof DiskLow) return 0 // the office is told of the disk
      if (!(error instanceof DirectoryAway)) throw error
      complain({ err: error }, 'the directory of the intake cannot be read')
      await raiseNotice(db, 'intake-away', {})
      return 0
    } finally {
      if (!signal.aborted) await putRestingInInbox(db, 'directory', gatherSeconds)
    }
  }

  /** Returns 'taken', null if it has to wait, or why it cannot be taken. */
  async #take(file: FoundFile, rested: number): Promise<string | null> {
    const { db, storage } = this.#place
    const { maxFileBytes, doubtMs } = this.#watching
    if (file.token !== null && (await isTaken(db, file.token))) {
      await removeClaimed(file)
      return null
    }
    const { size } = file.mark
    if (size > maxFileBytes)
      return `er på ${formatBytes(size)}; der kan højst tages ${formatBytes(maxFileBytes)}`
    if (size === 0) return rested < doubtMs ? null : 'er tom'
    if (rested < doubtMs && (await isCutPdf(file))) return null
    await storage.room?.ensure(size)
    try {
      await this.#store(await claim(file))
      return 'taken'
    } catch (error) {
      if (error instanceof ChangedWhileRead || error instanceof TooLarge) return null // it will be looked at again
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return null // it is gone
      if (code && CLOSED.has(code)) return 'må Ringbind ikke flytte eller læse'
      throw error
    }
  }

  async #store(claimed: Claimed): Promise<void> {
    const { name, sender, token } = claimed
    const { bytes, check, close } = await openClaimed(claimed)
    try {
      await takeFile(this.#place, {
        name,
        bytes,
        token,
        limit: claimed.mark.size,
        of: async (trx) => {
          await check()
          return findOpenIntake(trx, 'directory', sender)
        },
      })
    } finally {
      await close()
    }
    await removeClaimed(claimed)
  }

  async #tell(untakable: Untaken[]): Promise<void> {
    const { db } = this.#place
    if (untakable.length === 0) return endNotice(db, 'intake-left')
    const named = untakable.slice(0, 3)
    return raiseNotice(db, 'intake-left', { files: named, count: untakable.length })
  }
}

/** Errors that mean we may not read or move the file. */
const CLOSED = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ELOOP'])
