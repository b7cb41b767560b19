import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirectory = { path: string; unlock: () => void }

export class DataDirectoryTaken extends Error {
  constructor(path: string) {
    super(`Another Ringbind is already running on ${path}.`)
  }
}

/**
 * Makes the directory when it is missing and keeps it for this process alone until `unlock`.
 * The kernel frees the lock when the process dies, even by kill -9.
 */
export function openDataDirectory(wanted: string): DataDirectory {
  let path: string
  try {
    // Root's PostgreSQL runs as another user, who must be able to pass through.
    mkdirSync(wanted, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    path = realpathSync(wanted)
  } catch (error) {
    throw new Error(`The data directory ${wanted} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return { path, unlock: lock(path) }
}

// Node has no flock, but its SQLite takes the same kind of lock.
function lock(path: string): () => void {
  const file = join(path, 'lock')
  const database = openLockFile(file)
  try {
    accessSync(file, constants.W_OK) // SQLite would only pretend to lock a file it cannot write.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    const taken = (error as { errcode?: number }).errcode === SQLITE_BUSY
    throw taken ? new DataDirectoryTaken(path) : cannotLock(file, error)
  }
  held.add(database)
  return () => {
    if (held.delete(database)) database.close()
  }
}

// A lock that nobody refers to would be freed by the garbage collector.
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5

function openLockFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (error) {
    throw cannotLock(file, error)
  }
}

function cannotLock(file: string, cause: unknown): Error {
  return new Error(`Ringbind cannot write ${file}: ${(cause as Error).message}`, { cause })
}
