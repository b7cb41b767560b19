import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirectory = { path: string; unlock: () => void }

export class DataDirectoryTaken extends Error {
  constructor(path: string) {
    super(`Another Ringbind is already running on ${path}.`)
  }
}

/**
 * Makes the directory if it is missing and locks it for this process until `unlock`. The kernel frees the lock when
 * the process dies, even by kill -9.
 */
export function openDataDirectory(wanted: string): DataDirectory {
  let path: string
  try {
    makeDirectory(wanted)
    path = realpathSync(wanted)
  } catch (error) {
    throw new Error(`The data directory ${wanted} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return { path, unlock: lock(path) }
}

/**
 * Makes the directory. When root starts Ringbind, PostgreSQL runs as another user, who must be able to pass through
 * it, whatever the umask.
 */
function makeDirectory(wanted: string): void {
  const first = mkdirSync(wanted, { recursive: true, mode: 0o700 })
  if (first === undefined || process.geteuid?.() !== 0) return
  for (let made = resolve(wanted); made.startsWith(first); made = dirname(made)) chmodSync(made, 0o711)
}

/** Whether root runs on a directory that another user owns: that user could not read or change root's files. */
export function isRootOnOthers(path: string): boolean {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  return process.geteuid?.() === 0 && owner !== undefined && owner !== 0
}

export function refuseRootOnOthers(path: string): void {
  if (isRootOnOthers(path))
    throw new Error(
      `${path} belongs to user ${statSync(path).uid}, and this is run by root, whose files that user could not read: run it as that user ('runuser', 'sudo -u', systemd's User=).`,
    )
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

// Without a reference, the garbage collector would free the lock.
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
