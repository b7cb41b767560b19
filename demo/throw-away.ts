import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataDirectory, type DataDirectory } from '../src/server/process/data-directory.ts'
import { endLeftovers } from '../src/server/database/postgres-processes.ts'

export type ThrowAway = {
  /** An empty data directory. */
  path: string
  remove: () => void
}

/**
 * Opens a data directory that is ours until it is removed. Takes over the directory of a killed process, so that none
 * pile up.
 */
export async function openThrowAway(kind: string): Promise<ThrowAway> {
  for (let number = 1; ; number++) {
    const root = temporaryPath(kind, String(number))
    const held = tryToHold(root, number)
    if (!held) continue
    const path = join(root, 'data')
    await endLeftovers(join(path, 'postgres/cluster'), () => undefined)
    rmSync(path, { recursive: true, force: true })
    return {
      path,
      remove() {
        rmSync(path, { recursive: true, force: true })
        held.unlock()
        rmSync(root, { recursive: true, force: true })
      },
    }
  }
}

export function temporaryPath(kind: string, name: string): string {
  return join(tmpdir(), `ringbind-${kind}-${process.geteuid?.() ?? 0}-${name}`)
}

/** Makes the directory if it is missing. Returns false if another user owns it, or if it is a link. */
export function isOurs(path: string): boolean {
  try {
    mkdirSync(path, { mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    return true
  } catch {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return Boolean(
      found?.isDirectory() && found.uid === (process.geteuid?.() ?? found.uid) && !(found.mode & 0o022),
    )
  }
}

function tryToHold(root: string, number: number): DataDirectory | null {
  if (number > 100) throw new Error(`No directory like ${root} can be used.`)
  try {
    return isOurs(root) ? openDataDirectory(root) : null
  } catch {
    return null // another process runs there
  }
}
